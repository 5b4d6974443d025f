import type { ComponentProps, ComponentType } from 'react'
import { Button } from '../basics'
import { loadDialog } from '../dialog'
import { onDemand } from '../onDemand'

interface DialogProps {
  onClose: () => void
}

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>

/** A dialog whose code is loaded when it is opened. */
export const dialogOnDemand = <Props extends DialogProps>(load: Load<Props>) =>
  onDemand<Props>(async () => (await Promise.all([load(), loadDialog()]))[0])

/** Returns a button that opens a dialog, whose code is loaded then. The button has the dialog's other properties, too. */
export function dialogButton<Props extends DialogProps>(load: Load<Props>) {
  const Dialog = dialogOnDemand(load)
  type ButtonProps = ComponentProps<typeof Button> & { dialog: Omit<Props, keyof DialogProps> }

  return function DialogButton({ dialog, ...button }: ButtonProps) {
    const { opened, close, buttonProps } = Dialog.useOpened()
    const { loading, ...handlers } = buttonProps
    return (
      <>
        <Button
          aria-haspopup="dialog"
          aria-busy={loading || undefined}
          {...button}
          {...handlers}
          aria-expanded={opened}
        />
        {opened && <Dialog.Component {...({ ...dialog, onClose: close } as unknown as Props)} />}
      </>
    )
  }
}
