import { loggedOut, selectSession, type WithSession } from '@/session/session'

const CHANNEL = 'capzone-logout'

/** Tells the other tabs of this browser that a player has logged out. */
export function announceLogout(playerId: string): void {
  if (typeof BroadcastChannel === 'undefined') return
  const channel = new BroadcastChannel(CHANNEL)
  channel.postMessage(playerId)
  channel.close()
}

interface Store {
  dispatch: (action: ReturnType<typeof loggedOut>) => unknown
  getState: () => WithSession
}

/** Logs this tab out when its player logs out in another one, until the result is called. */
export function followLogouts(store: Store): () => void {
  if (typeof BroadcastChannel === 'undefined') return () => undefined
  const channel = new BroadcastChannel(CHANNEL)
  channel.onmessage = ({ data }) => {
    if (selectSession(store.getState())?._id === data) store.dispatch(loggedOut())
  }
  return () => channel.close()
}
