export {
  PopoverContent as Content,
  PopoverPositioner as Positioner,
  PopoverRoot as Root,
  PopoverTitle as Title,
} from '@ark-ui/react/popover'
