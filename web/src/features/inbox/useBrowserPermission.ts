import { useState } from 'react'

type Permission = NotificationPermission | 'unsupported'

const current = (): Permission => (typeof Notification === 'undefined' ? 'unsupported' : Notification.permission)

/** Returns whether the browser shows notifications of the site, and a function that has it ask the player. */
export function useBrowserPermission() {
  const [permission, setPermission] = useState(current)
  const ask = async () => {
    if (current() === 'default') await Notification.requestPermission()
    setPermission(current())
  }
  return { permission, ask }
}
