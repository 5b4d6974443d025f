export {
  DialogBackdrop as Backdrop,
  DialogCloseTrigger as CloseTrigger,
  DialogContent as Content,
  DialogPositioner as Positioner,
  DialogRoot as Root,
  DialogTitle as Title,
} from '@ark-ui/react/dialog'
