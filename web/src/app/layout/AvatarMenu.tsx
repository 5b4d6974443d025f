import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from 'react-router'
import { api, useLogoutMutation } from '@/api'
import { Avatar } from '@/entities/player/Avatar'
import { paths } from '@/routes/paths'
import { isAllowed } from '@/session/permissions'
import { loggedOut, type User } from '@/session/session'
import { useAppDispatch } from '@/store/hooks'
import { Button, Menu } from '@/ui'
import { ChevronDownIcon, FlagIcon, LogOutIcon, UploadIcon, UserIcon } from '@/ui/icons'
import { toaster } from '@/ui/toaster'

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

/** Returns a function that ends the session here, also where the server cannot be told. */
function useLogOut() {
  const [logout] = useLogoutMutation()
  const dispatch = useAppDispatch()
  return async () => {
    const { error } = await logout()
    dispatch(loggedOut())
    dispatch(api.util.invalidateTags(['Player']))
    // The menu is removed with the focus in it.
    document.getElementById('main')?.focus({ preventScroll: true })
    if (!error) {
      toaster.success({ title: t`Successfully logged out!` })
      return
    }
    console.error('The server could not be told about the logout.', error)
    // The cookie remains valid: a reload would log in again.
    toaster.warning({
      title: t`You are logged out here, but the server could not be told.`,
      description: t`Log in and out again to end the session permanently.`,
    })
  }
}
