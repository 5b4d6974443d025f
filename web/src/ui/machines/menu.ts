export { MenuContent as Content, MenuPositioner as Positioner, MenuRoot as Root } from '@ark-ui/react/menu'
