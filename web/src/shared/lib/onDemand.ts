import { type ComponentType, lazy, useState, useTransition } from 'react'
import { toaster } from '@/shared/components/toaster'

const FAILED = 'This could not be loaded. Please try again.'

// What a button does until what it opens is there: it fetches the code when somebody comes near, and opens on a press.
interface Opening {
  'aria-expanded': false
  'aria-busy': boolean
  onClick: () => void
  onFocus: () => void
  onPointerEnter: () => void
}

// onDemand is for what opens behind a button, such as a menu: its code is fetched when a visitor turns to the button.
// Until it has come the page stays as it is, and then it opens by itself. Where it does not come, a toast says so.
export function onDemand<Props>(fetchIt: () => Promise<{ default: ComponentType<Props> }>) {
  // Before it is needed nobody is told that it could not be fetched; it is tried again then.
  const prepare = () => void fetchIt().catch(() => undefined)

  function useOpened(): [opened: boolean, opening: Opening] {
    const [opened, setOpened] = useState(false)
    const [busy, start] = useTransition()
    const open = async () => {
      try {
        // A lazy component never tries again: it is only drawn once its code is there.
        await fetchIt()
        start(() => setOpened(true))
      } catch (error) {
        console.error(error)
        if (!toaster.isVisible(FAILED)) toaster.error({ id: FAILED, title: FAILED })
      }
    }
    return [
      opened,
      {
        'aria-expanded': false,
        'aria-busy': busy,
        onClick: () => start(open),
        onFocus: prepare,
        onPointerEnter: prepare,
      },
    ]
  }
  return { Component: lazy(fetchIt), useOpened }
}
