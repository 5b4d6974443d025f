import { Portal, Toast, Toaster } from '@chakra-ui/react'
import { useEffect } from 'react'
import { Stack } from './index'
import { toaster } from './toaster'
import { WithChakra } from './WithChakra'

/** Shows the site's toasts at the bottom end of the window. */
export default function Toasts() {
  useEffect(pauseWhileHidden, [])
  return (
    <WithChakra>
      <Portal>
        <Toaster toaster={toaster} insetInline={{ mdDown: '4' }}>
          {(toast) => (
            <Toast.Root width={{ md: 'sm' }}>
              <Toast.Indicator />
              <Stack gap="1" flex="1" maxW="full">
                {toast.title && <Toast.Title>{toast.title}</Toast.Title>}
                {toast.description && <Toast.Description whiteSpace="pre-line">{toast.description}</Toast.Description>}
              </Stack>
              <Toast.CloseTrigger />
            </Toast.Root>
          )}
        </Toaster>
      </Portal>
    </WithChakra>
  )
}

// The toaster's own option for it has no effect in this version.
function pauseWhileHidden(): () => void {
  const onChange = () => {
    if (document.visibilityState === 'hidden') toaster.pause()
    else toaster.resume()
  }
  document.addEventListener('visibilitychange', onChange)
  return () => document.removeEventListener('visibilitychange', onChange)
}
