import { IconButton } from '@/ui'
import { MenuIcon } from '@/ui/icons'
import { onDemand } from '@/ui/onDemand'

const MobileMenuDrawer = onDemand(() => import('./MobileMenuDrawer'))

/** The button that opens the site's navigation on narrow screens. */
export function MobileMenu() {
  const { opened, close, buttonProps } = MobileMenuDrawer.useOpened()
  return (
    <>
      <IconButton variant="ghost" hideFrom="md" ms="-2" aria-label="Open menu" aria-haspopup="dialog" {...buttonProps}>
        <MenuIcon />
      </IconButton>
      {opened && <MobileMenuDrawer.Component onClose={close} />}
    </>
  )
}
