/** Resources that a run has opened and must close in every case. */
export class Opened {
  private readonly closers: (() => void | Promise<void>)[] = []

  add(closer: () => void | Promise<void>): void {
    this.closers.push(closer)
  }

  /** Last opened first. It can be called again after a closer has thrown: what is closed stays closed. */
  async close(): Promise<void> {
    for (let closer = this.closers.at(-1); closer; closer = this.closers.at(-1)) {
      await closer()
      this.closers.pop()
    }
  }
}
