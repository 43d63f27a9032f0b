/** What a run has opened and must close, however it ends. */
export class Opened {
  private readonly closers: (() => void | Promise<void>)[] = []

  add(closer: () => void | Promise<void>): void {
    this.closers.push(closer)
  }

  /** Last opened first. What has been closed stays so: it can be called again, also where a closer has thrown. */
  async close(): Promise<void> {
    for (let closer = this.closers.at(-1); closer; closer = this.closers.at(-1)) {
      await closer()
      this.closers.pop()
    }
  }
}
