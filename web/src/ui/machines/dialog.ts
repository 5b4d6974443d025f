export {
  DialogBackdrop as Backdrop,
  DialogContent as Content,
  DialogPositioner as Positioner,
  DialogRoot as Root,
} from '@ark-ui/react/dialog'
