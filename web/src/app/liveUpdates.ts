import { api } from '@/api'
import { batchTags } from '@/api/events/batchTags'
import type { StreamEvent } from '@/api/events/parser'
import { shareConnection } from '@/api/events/share'
import { readEvents } from '@/api/events/stream'
import { dataOf, LIVE_TAGS, tagsOf } from '@/api/events/tags'
import { showBrowserNotification } from '@/features/inbox/browserNotification'
import { selectSession } from '@/session/session'
import type { AppStore } from '@/store/store'
import { announceLogout, followLogouts } from './otherTabs'

const CHANNEL = 'capzone-events'

/**
 * Keeps what the pages show up to date by the server's events, those of the player who is logged in included. Tabs of the
 * same player share a connection, and a logout in one of them ends the session in all. It begins after the event with the
 * id position; for '', what is shown is loaded again first. It returns a function that ends it.
 */
export function startLiveUpdates(store: AppStore, position = ''): () => void {
  const tags = batchTags((tags) => store.dispatch(api.util.invalidateTags(tags)))
  const playerOf = () => selectSession(store.getState())?._id
  let player = playerOf()
  const place = { lastId: position }
  let end = follow(store, player, place, tags.add)
  const unfollow = followLogouts(store)
  const unsubscribe = store.subscribe(() => {
    if (playerOf() === player) return
    if (player) announceLogout(player)
    player = playerOf()
    end()
    end = follow(store, player, place, tags.add)
  })
  return () => {
    unfollow()
    unsubscribe()
    end()
    tags.end()
  }
}

function follow(
  store: AppStore,
  player: string | undefined,
  place: { lastId: string },
  change: ReturnType<typeof batchTags>['add'],
): () => void {
  return shareConnection<StreamEvent>({
    name: player ? `${CHANNEL}:${player}` : CHANNEL,
    connect: (send, signal) =>
      readEvents({
        store,
        me: player !== undefined,
        lastId: () => place.lastId,
        onOpen: () => place.lastId === '' && change(LIVE_TAGS),
        onEvent: (event) => {
          send(event)
          if (event.type === 'inbox' && document.visibilityState === 'hidden') {
            void showBrowserNotification(store, dataOf(event).kind ?? null)
          }
        },
        signal,
      }),
    onMessage: (event) => {
      place.lastId = event.id
      change(tagsOf(event, player))
    },
    onMissed: () => change(LIVE_TAGS),
  })
}
