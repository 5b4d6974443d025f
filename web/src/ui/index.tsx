// Chakra UI v3 in its zero-runtime form: its official preset through Panda, on Ark, because @chakra-ui/react exceeds
// the budget of a page (docs/site.md).

export * from './basics'
export { Collapsible } from './collapsible'
export { type Column, DataTable } from './DataTable'
export { ConfirmDialog, Dialog, Drawer, loadDialog } from './dialog'
export { Field, Textarea } from './field'
export { FileUpload } from './fileUpload'
export { Menu } from './menu'
export { Popover } from './popover'
export { Progress } from './progress'
