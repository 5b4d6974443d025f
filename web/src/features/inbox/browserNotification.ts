import { api } from '@/api'
import { config } from '@/config'
import { paths } from '@/routes/paths'
import type { AppStore } from '@/store/store'
import { isKind, linkOf, sentenceOf } from './sentences'

/**
 * Shows the newest notification of a kind by the browser, where the player wants that and the browser allows it. It
 * replaces one of the same kind about the same map. A click opens what it is about in a new tab, because this one may hold
 * a form.
 */
export async function showBrowserNotification(store: AppStore, kind: string | null): Promise<void> {
  if (!isKind(kind) || typeof Notification === 'undefined' || Notification.permission !== 'granted') return
  const once = { subscribe: false, forceRefetch: true }
  const settings = await store.dispatch(api.endpoints.getInboxSettings.initiate(undefined, once))
  if (settings.data?.data.find((setting) => setting.kind === kind)?.delivery !== 'browser') return
  const newest = await store.dispatch(api.endpoints.listInbox.initiate({ unread: true, kind, limit: 1 }, once))
  const group = newest.data?.data[0]
  if (!group) return
  const tag = `${kind} ${group.map?._id}`
  const notification = new Notification(config.siteName, { body: sentenceOf(group), tag })
  notification.addEventListener('click', () => {
    notification.close()
    open(linkOf(group) ?? paths.inbox)
  })
}
