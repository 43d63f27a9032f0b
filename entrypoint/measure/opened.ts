/** Resources that a run has opened and must close in every case. */
export class Opened {
  private readonly closers: (() => void | Promise<void>)[] = []

  add(closer: () => void | Promise<void>): void {
    this.closers.push(closer)
  }

  /** Closes the last opened first. If a closer throws, a second call closes the rest. */
  async close(): Promise<void> {
    for (let closer = this.closers.at(-1); closer; closer = this.closers.at(-1)) {
      await closer()
      this.closers.pop()
    }
  }
}
