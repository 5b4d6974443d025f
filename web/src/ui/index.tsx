// Chakra UI v3 in its zero-runtime form: its official preset through Panda, on Ark, because @chakra-ui/react exceeds
// the budget of a page (docs/site.md).

export * from './basics'
export { ConfirmDialog, Dialog, Drawer } from './dialog'
export { Menu } from './menu'
export { Collapsible } from './more/collapsible'
export { type Column, DataTable } from './more/DataTable'
export { Field, Textarea } from './more/field'
export { FileUpload } from './more/fileUpload'
export { Popover } from './more/popover'
export { Progress } from './more/progress'
