import type { ComponentProps } from 'react'
import { Avatar } from '@/entities/player/Avatar'
import type { User } from '@/session/session'
import { Button } from '@/ui'
import { ChevronDownIcon } from '@/ui/icons'
import { onDemand } from '@/ui/onDemand'

const AvatarMenuItems = onDemand(() => import('./AvatarMenuItems'))

/** The account menu in the header. */
export function AvatarMenu({ user }: { user: User }) {
  const { opened, buttonProps } = AvatarMenuItems.useOpened()
  const button = (props: ComponentProps<typeof Button>) => (
    <Button variant="ghost" gap="1" px="1.5" aria-label={`Account of ${user.name}`} {...props}>
      <Avatar player={user} size={8} />
      <ChevronDownIcon size={4} />
    </Button>
  )
  if (!opened) return button({ ...buttonProps, 'aria-haspopup': 'menu' })
  return <AvatarMenuItems.Component user={user} button={button({})} />
}
