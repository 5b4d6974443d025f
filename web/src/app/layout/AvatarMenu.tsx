import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from 'react-router'
import { Avatar } from '@/entities/player/Avatar'
import { useLogOut } from '@/entities/player/useLogOut'
import { paths } from '@/routes/paths'
import { isAllowed } from '@/session/permissions'
import type { User } from '@/session/session'
import { Button, Menu } from '@/ui'
import { ChevronDownIcon, FlagIcon, LogOutIcon, PencilIcon, UploadIcon, UserIcon } from '@/ui/icons'

/** The account menu in the header. */
export function AvatarMenu({ user }: { user: User }) {
  const logOut = useLogOut()
  return (
    <Menu.Root positioning={{ placement: 'bottom-end' }}>
      <Menu.Trigger asChild>
        <Button variant="ghost" gap="1" px="1.5" aria-label={t`Account of ${user.name}`}>
          <Avatar player={user} size={8} />
          <ChevronDownIcon size={4} />
        </Button>
      </Menu.Trigger>
      <Menu.Content minW="12rem">
        <Menu.Item value="submit" asChild>
          <Link to={paths.recordSubmit}>
            <UploadIcon /> <Trans>Submit Record</Trans>
          </Link>
        </Menu.Item>
        <Menu.Item value="profile" asChild>
          <Link to={paths.player(user._id)}>
            <UserIcon /> <Trans>My Profile</Trans>
          </Link>
        </Menu.Item>
        <Menu.Item value="settings" asChild>
          <Link to={paths.settings}>
            <PencilIcon /> <Trans>Settings</Trans>
          </Link>
        </Menu.Item>
        {isAllowed(user, 'read desk') && (
          <Menu.Item value="desk" asChild>
            <Link to={paths.desk}>
              <FlagIcon /> <Trans>Moderators' Desk</Trans>
            </Link>
          </Menu.Item>
        )}
        <Menu.Item value="logout" onClick={logOut}>
          <LogOutIcon /> <Trans>Log Out</Trans>
        </Menu.Item>
      </Menu.Content>
    </Menu.Root>
  )
}
