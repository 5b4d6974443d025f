export {
  MenuContent as Content,
  MenuItem as Item,
  MenuItemIndicator as ItemIndicator,
  MenuPositioner as Positioner,
  MenuRadioItem as RadioItem,
  MenuRadioItemGroup as RadioItemGroup,
  MenuRoot as Root,
} from '@ark-ui/react/menu'
