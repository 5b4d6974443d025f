import { type CreateToasterReturn, createToaster, Portal, Stack, Toast, Toaster } from '@chakra-ui/react'
import { useEffect, useState } from 'react'
import { showToastsIn } from '@/shared/components/toaster'
import { WithChakra } from './WithChakra'

// Toasts shows what the toaster was given; one for the whole site.
export function Toasts() {
  const [outlet] = useState(() => createToaster({ placement: 'bottom-end' }))
  useEffect(() => pauseWhileIdle(outlet), [outlet])
  return (
    <WithChakra>
      <Portal>
        <Toaster toaster={outlet} insetInline={{ mdDown: '4' }}>
          {(toast) => (
            <Toast.Root width={{ md: 'sm' }}>
              <Toast.Indicator />
              <Stack gap="1" flex="1" maxWidth="100%">
                {toast.title && <Toast.Title>{toast.title}</Toast.Title>}
                {toast.description && (
                  <Toast.Description whiteSpace="pre-line">{toast.description}</Toast.Description>
                )}
              </Stack>
              <Toast.CloseTrigger />
            </Toast.Root>
          )}
        </Toaster>
        <HandOver outlet={outlet} />
      </Portal>
    </WithChakra>
  )
}

// HandOver stands behind the toaster, which takes toasts when it is mounted and its own effects have run.
function HandOver({ outlet }: { outlet: CreateToasterReturn }) {
  useEffect(() => {
    let end: (() => void) | undefined
    const timer = setTimeout(() => {
      end = showToastsIn(outlet)
    })
    return () => {
      clearTimeout(timer)
      end?.()
    }
  }, [outlet])
  return null
}

// pauseWhileIdle keeps toasts for who looks at another tab. The toaster's own option for it has no effect in this version.
function pauseWhileIdle(outlet: CreateToasterReturn): () => void {
  const onChange = () => {
    if (document.visibilityState === 'hidden') outlet.pause()
    else outlet.resume()
  }
  document.addEventListener('visibilitychange', onChange)
  return () => document.removeEventListener('visibilitychange', onChange)
}
