import type { ComponentProps } from 'react'
import { Avatar } from '@/shared/components/Avatar'
import { Button } from '@/shared/components/Button'
import { ChevronDownIcon } from '@/shared/components/icons'
import { onDemand } from '@/shared/lib/onDemand'
import type { User } from '@/shared/session/sessionSlice'
import styles from './AvatarMenu.module.css'

const AvatarMenuItems = onDemand(() => import('./AvatarMenuItems'))

// AvatarMenu is what somebody who is logged in has in the header.
export function AvatarMenu({ user }: { user: User }) {
  const [opened, opening] = AvatarMenuItems.useOpened()
  const button = (props: ComponentProps<'button'>) => (
    <Button look="ghost" className={styles.button} aria-label={`Account of ${user.name}`} {...props}>
      <Avatar player={user} size={8} />
      <ChevronDownIcon size={4} />
    </Button>
  )
  if (!opened) return button({ ...opening, 'aria-haspopup': 'menu' })
  return <AvatarMenuItems.Component user={user} button={button({})} />
}
