import { createToaster } from '@ark-ui/react/toast'

/** The site's toasts. The code that shows them is loaded with the first of them. A toast with an id is shown once at a time. */
export const toaster = createToaster({ placement: 'bottom-end' })
