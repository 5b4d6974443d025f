import { type ComponentType, lazy, useState, useTransition } from 'react'

// What a button does until what it opens is there: it fetches the code when somebody comes near, and opens on a press.
interface Opening {
  'aria-expanded': false
  'aria-busy': boolean
  onClick: () => void
  onFocus: () => void
  onPointerEnter: () => void
}

// onDemand is for what opens behind a button, such as a menu: its code is fetched when a visitor turns to the button.
// Until it has come the page stays as it is, and then it opens by itself.
export function onDemand<Props>(fetchIt: () => Promise<{ default: ComponentType<Props> }>) {
  // Before it is needed nobody is told that it could not be fetched; it is tried again then.
  const prepare = () => void fetchIt().catch(() => undefined)

  function useOpened(): [opened: boolean, opening: Opening] {
    const [opened, setOpened] = useState(false)
    const [busy, start] = useTransition()
    return [
      opened,
      {
        'aria-expanded': false,
        'aria-busy': busy,
        onClick: () => start(() => setOpened(true)),
        onFocus: prepare,
        onPointerEnter: prepare,
      },
    ]
  }
  return { Component: lazy(fetchIt), useOpened }
}
