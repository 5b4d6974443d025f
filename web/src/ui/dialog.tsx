import { DialogTrigger, useDialogContext } from '@ark-ui/react/dialog'
import { Portal } from '@ark-ui/react/portal'
import { t } from '@lingui/core/macro'
import { type ComponentProps, type ComponentType, type ReactNode, useState } from 'react'
import { createStyleContext } from 'styled-system/jsx'
import { dialog, drawer } from 'styled-system/recipes'
import { Button, type Elements, IconButton } from './basics'
import { deferredRoot, deferredTrigger, useRootLoaded } from './deferred'
import { CloseIcon } from './icons'
import { useKeptFocus } from './keptFocus'
import { useEscape } from './useEscape'

const Root = deferredRoot(() => import('./machines/dialog'), useDialogContext)
const Backdrop = Root.part(({ Backdrop }) => Backdrop)
const Positioner = Root.part(({ Positioner }) => Positioner)
const Content = Root.part(({ Content }) => Content)
const Title = Root.part(({ Title }) => Title)
const CloseTrigger = Root.part(({ CloseTrigger }) => CloseTrigger)
const Trigger = deferredTrigger(DialogTrigger, 'dialog')
const rootOptions = { defaultProps: { lazyMount: true, unmountOnExit: true } }
const closeOptions = { defaultProps: { asChild: true, children: <CloseButton /> } }

function CloseButton(props: object) {
  return (
    <IconButton size="sm" variant="ghost" aria-label={t`Close`} {...props}>
      <CloseIcon />
    </IconButton>
  )
}

/** Fetches the code of dialogs and drawers, for one that opens without a trigger. */
export const loadDialog = Root.load

// The window of a dialog or a drawer over the page, with what is behind it.
function layer<Props extends object>(
  Backdrop: ComponentType,
  Positioner: ComponentType<{ children?: ReactNode }>,
  Content: ComponentType<Props>,
) {
  function OpenContent({ closeOnEscape, ...props }: { closeOnEscape?: boolean | undefined }) {
    useEscape(useDialogContext(), closeOnEscape)
    return (
      <Portal>
        <Backdrop />
        <Positioner>
          <Content {...(props as Props)} {...useKeptFocus()} />
        </Positioner>
      </Portal>
    )
  }
  return (props: Props & { closeOnEscape?: boolean }) => useRootLoaded() && <OpenContent {...props} />
}

const dialogContext = createStyleContext(dialog)

/** A window over the page. */
export const Dialog = {
  Root: dialogContext.withRootProvider(Root, rootOptions),
  Trigger: dialogContext.withContext(Trigger, 'trigger'),
  Content: layer(
    dialogContext.withContext(Backdrop, 'backdrop'),
    dialogContext.withContext(Positioner, 'positioner'),
    dialogContext.withContext(Content, 'content'),
  ),
  Header: dialogContext.withContext('div', 'header'),
  Title: dialogContext.withContext(Title, 'title'),
  Body: dialogContext.withContext('div', 'body'),
  Footer: dialogContext.withContext('div', 'footer'),
  CloseTrigger: dialogContext.withContext(CloseTrigger, 'closeTrigger', closeOptions),
}

const drawerContext = createStyleContext(drawer)

/** A window at an edge of the page. */
export const Drawer = {
  Root: drawerContext.withRootProvider(Root, rootOptions),
  Trigger: drawerContext.withContext(Trigger, 'trigger'),
  Content: layer(
    drawerContext.withContext(Backdrop, 'backdrop'),
    drawerContext.withContext(Positioner, 'positioner'),
    drawerContext.withContext(Content, 'content'),
  ),
  Header: drawerContext.withContext('div', 'header'),
  Title: drawerContext.withContext(Title, 'title'),
  Body: drawerContext.withContext('div', 'body'),
  CloseTrigger: drawerContext.withContext(CloseTrigger, 'closeTrigger', closeOptions),
}

interface ConfirmProps {
  /** The button that asks; without one, the dialog opens when it is mounted. */
  trigger?: Elements
  onClose?: () => void
  title: string
  children: ReactNode
  /** The label of the button that confirms, such as 'Delete'. */
  confirm: string
  colorPalette?: ComponentProps<typeof Button>['colorPalette']
  /** The dialog stays open, with its button loading, until it has ended. */
  onConfirm: () => Promise<void> | void
}

/** Asks before something is done that cannot be undone, or that others notice. */
export function ConfirmDialog({ trigger, onClose, ...props }: ConfirmProps) {
  const [running, setRunning] = useState(false)
  return (
    <Dialog.Root
      role="alertdialog"
      placement="center"
      closeOnEscape={!running}
      {...(!trigger && { open: true })}
      onOpenChange={({ open }) => !open && onClose?.()}
    >
      {trigger && <Dialog.Trigger asChild>{trigger}</Dialog.Trigger>}
      <Dialog.Content mx="4" closeOnEscape={!running}>
        <Confirmation {...props} running={running} setRunning={setRunning} />
      </Dialog.Content>
    </Dialog.Root>
  )
}

interface ConfirmationProps extends Omit<ConfirmProps, 'trigger' | 'onClose'> {
  running: boolean
  setRunning: (running: boolean) => void
}

function Confirmation(props: ConfirmationProps) {
  const { title, children, confirm, colorPalette = 'red', onConfirm, running, setRunning } = props
  const { setOpen } = useDialogContext()
  const act = async () => {
    setRunning(true)
    try {
      await onConfirm()
      setOpen(false)
    } finally {
      setRunning(false)
    }
  }
  return (
    <>
      <Dialog.Header>
        <Dialog.Title>{title}</Dialog.Title>
      </Dialog.Header>
      <Dialog.Body>{children}</Dialog.Body>
      <Dialog.Footer>
        <Dialog.CloseTrigger asChild position="static">
          <Button variant="outline" disabled={running}>{t`Cancel`}</Button>
        </Dialog.CloseTrigger>
        <Button colorPalette={colorPalette} loading={running} onClick={act}>
          {confirm}
        </Button>
      </Dialog.Footer>
    </>
  )
}
