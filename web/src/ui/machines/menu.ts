export { MenuRoot as default } from '@ark-ui/react/menu'
