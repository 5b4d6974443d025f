export { DialogRoot as default } from '@ark-ui/react/dialog'
