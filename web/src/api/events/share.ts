interface Options<Message> {
  /** Tabs with this name share a connection. */
  name: string
  /** Holds the connection until the signal. It runs in one of the tabs, and sends the others what arrives. */
  connect: (send: (message: Message) => void, signal: AbortSignal) => Promise<void>
  onMessage: (message: Message) => void
  /** Called when the tab may have missed messages: it takes part again, or another one has held the connection before. */
  onMissed: () => void
}

// A tab that was not looked at for this long holds no connection.
const BACKGROUND_MS = 5 * 60_000

/**
 * Shares one connection among the tabs of a browser: the one with the lock holds it. A tab in the background leaves after
 * five minutes, and returns when it is shown; without any tab there is no connection. It returns a function that ends it
 * here.
 */
export function shareConnection<Message>({ name, connect, onMessage, onMissed }: Options<Message>): () => void {
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(name)
  let present: AbortController | null = null
  let leaving: ReturnType<typeof setTimeout> | undefined

  const receive = (message: Message) => {
    if (present) onMessage(message)
  }
  const send = (message: Message) => {
    receive(message)
    channel?.postMessage(message)
  }
  const join = () => {
    present = new AbortController()
    const { signal } = present
    void inOneTab(name, () => connect(send, signal), signal, onMissed)
  }
  const leave = () => {
    present?.abort()
    present = null
  }
  const onVisibility = () => {
    clearTimeout(leaving)
    if (document.visibilityState === 'hidden') {
      leaving = setTimeout(leave, BACKGROUND_MS)
    } else if (!present) {
      join()
      onMissed()
    }
  }

  channel?.addEventListener('message', ({ data }: MessageEvent<Message>) => receive(data))
  document.addEventListener('visibilitychange', onVisibility)
  join()
  if (document.visibilityState === 'hidden') onVisibility()
  return () => {
    clearTimeout(leaving)
    leave()
    document.removeEventListener('visibilitychange', onVisibility)
    channel?.close()
  }
}

/** Does the work in one tab at a time; a tab that has to wait is told. Where locks are blocked, each tab does it. */
async function inOneTab(
  name: string,
  work: () => Promise<void>,
  signal: AbortSignal,
  onWait: () => void,
): Promise<void> {
  let locked = false
  const lockedWork = () => {
    locked = true
    return work()
  }
  try {
    await navigator.locks.request(name, { ifAvailable: true }, (lock) => lock && lockedWork())
    if (locked || signal.aborted) return
    onWait()
    await navigator.locks.request(name, { signal }, lockedWork)
  } catch {
    if (!locked && !signal.aborted) await work()
  }
}
