import type { ReactNode } from 'react'
import type { Elements } from '../basics'
import { Dialog } from '../dialog'

interface Props {
  title: ReactNode
  large?: boolean
  onClose: () => void
  children: Elements
}

/** A dialog around a form. It opens when it is mounted. */
export function FormDialog({ title, large = false, onClose, children }: Props) {
  return (
    <Dialog.Root open placement="center" size={large ? 'lg' : 'md'} onOpenChange={({ open }) => !open && onClose()}>
      <Dialog.Content mx="4">
        <Dialog.Header>
          <Dialog.Title>{title}</Dialog.Title>
        </Dialog.Header>
        <Dialog.Body pb="6">{children}</Dialog.Body>
        <Dialog.CloseTrigger />
      </Dialog.Content>
    </Dialog.Root>
  )
}
