export { PopoverContent as Content, PopoverPositioner as Positioner, PopoverRoot as Root } from '@ark-ui/react/popover'
