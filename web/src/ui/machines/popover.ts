export { PopoverRoot as default } from '@ark-ui/react/popover'
