import { Portal } from '@ark-ui/react/portal'
import { Toast as Ark, Toaster, useToastContext } from '@ark-ui/react/toast'
import { type CreateToasterReturn, createToaster } from '@chakra-ui/react/toast'
import { t } from '@lingui/core/macro'
import { useEffect, useState } from 'react'
import { createStyleContext } from 'styled-system/jsx'
import { toast } from 'styled-system/recipes'
import { Stack } from '../basics'
import { AlertIcon, CheckIcon, CloseIcon } from '../icons'
import { connectToaster } from '../toaster'

const { withProvider, withContext } = createStyleContext(toast)

const Toast = {
  Root: withProvider(Ark.Root, 'root'),
  Indicator: withContext('span', 'indicator'),
  Title: withContext(Ark.Title, 'title'),
  Description: withContext(Ark.Description, 'description'),
  ActionTrigger: withContext(Ark.ActionTrigger, 'actionTrigger'),
  CloseTrigger: withContext(Ark.CloseTrigger, 'closeTrigger'),
}

/** Shows the site's toasts at the bottom end of the window. */
export function Toasts() {
  const [toaster] = useState(() => createToaster({ placement: 'bottom-end' }))
  useEffect(() => pauseWhileHidden(toaster), [toaster])
  return (
    <Portal>
      <Toaster toaster={toaster} aria-label={t`Notifications`}>
        {(toast) => (
          <Toast.Root
            width={{ base: 'calc(100vw - 2rem)', md: 'sm' }}
            {...(toast.meta?.silent && { role: 'group', 'aria-live': 'off' })}
          >
            <Indicator />
            <Stack gap="1" flex="1" maxW="full">
              {toast.title ? <Toast.Title>{toast.title}</Toast.Title> : null}
              {toast.description ? (
                <Toast.Description whiteSpace="pre-line">{toast.description}</Toast.Description>
              ) : null}
            </Stack>
            {toast.action && <Toast.ActionTrigger>{toast.action.label}</Toast.ActionTrigger>}
            <Toast.CloseTrigger aria-label={t`Dismiss notification`}>
              <CloseIcon size={4} />
            </Toast.CloseTrigger>
          </Toast.Root>
        )}
      </Toaster>
      <ConnectToaster toaster={toaster} />
    </Portal>
  )
}

function Indicator() {
  const { type } = useToastContext()
  return <Toast.Indicator>{type === 'success' ? <CheckIcon /> : <AlertIcon />}</Toast.Indicator>
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
