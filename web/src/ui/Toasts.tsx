import { type CreateToasterReturn, createToaster, Portal, Toast, Toaster } from '@chakra-ui/react'
import { useEffect, useState } from 'react'
import { Stack } from './index'
import { connectToaster } from './toaster'
import { WithChakra } from './WithChakra'

/** Shows the site's toasts at the bottom end of the window. */
export function Toasts() {
  const [toaster] = useState(() => createToaster({ placement: 'bottom-end' }))
  useEffect(() => pauseWhileHidden(toaster), [toaster])
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
        <ConnectToaster toaster={toaster} />
      </Portal>
    </WithChakra>
  )
}

// It follows the Toaster in the tree: the Toaster accepts toasts after its own effects have run.
function ConnectToaster({ toaster }: { toaster: CreateToasterReturn }) {
  useEffect(() => {
    let disconnect: (() => void) | undefined
    const timer = setTimeout(() => {
      disconnect = connectToaster(toaster)
    })
    return () => {
      clearTimeout(timer)
      disconnect?.()
    }
  }, [toaster])
  return null
}

/** Keeps toasts while another tab is shown. The toaster's own option for it has no effect in this version. */
function pauseWhileHidden(toaster: CreateToasterReturn): () => void {
  const onChange = () => {
    if (document.visibilityState === 'hidden') toaster.pause()
    else toaster.resume()
  }
  document.addEventListener('visibilitychange', onChange)
  return () => document.removeEventListener('visibilitychange', onChange)
}
