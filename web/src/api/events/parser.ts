/** An event as a stream has sent it. */
export interface StreamEvent {
  type: string
  data: string
  /** The last id that the stream had sent then; '' where it had sent none. */
  id: string
}

/** Reads the text of an event stream, which may be split anywhere. */
export class EventParser {
  /** The pause before the next connection that the server asked for. */
  retryMs: number | undefined
  /** The last id that the stream has sent, also without an event; '' where it has sent none. */
  id = ''
  private nextId = ''
  private rest = ''
  private afterReturn = false
  private type = ''
  private data: string[] = []

  /** Returns the events that this part of the text completes. */
  push(text: string): StreamEvent[] {
    if (text === '') return []
    // A line may end with both characters, and a part between them.
    const part = this.afterReturn && text.startsWith('\n') ? text.slice(1) : text
    this.afterReturn = text.endsWith('\r')
    const lines = (this.rest + part).split(/\r\n|\r|\n/)
    this.rest = lines.pop() ?? ''
    return lines.flatMap((line) => this.readLine(line))
  }

  private readLine(line: string): StreamEvent[] {
    if (line === '') return this.complete()
    const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (name === 'data') this.data.push(value)
    else if (name === 'event') this.type = value
    else if (name === 'id' && !value.includes('\0')) this.nextId = value
    else if (name === 'retry' && /^\d+$/.test(value)) this.retryMs = Number(value)
    return []
  }

  private complete(): StreamEvent[] {
    const { type, data, nextId: id } = this
    // Not before: what is missing of an event that breaks off is asked for again.
    this.id = id
    this.type = ''
    this.data = []
    return data.length > 0 ? [{ type: type || 'message', data: data.join('\n'), id }] : []
  }
}
