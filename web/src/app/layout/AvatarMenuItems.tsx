import { Menu } from '@chakra-ui/react'
import type { ReactElement } from 'react'
import { Link } from 'react-router'
import { api, useLogoutMutation } from '@/api'
import { paths } from '@/routes/paths'
import { loggedOut, type User } from '@/session/session'
import { useAppDispatch } from '@/store/hooks'
import { LogOutIcon, UploadIcon, UserIcon } from '@/ui/icons'
import { toaster } from '@/ui/toaster'
import { WithChakra } from '@/ui/WithChakra'

/** The menu behind the avatar. It opens when it is mounted. */
export default function AvatarMenuItems({ user, button }: { user: User; button: ReactElement }) {
  const [logout] = useLogoutMutation()
  const dispatch = useAppDispatch()
  // The session ends here, also where the server cannot be told.
  const leave = async () => {
    const { error } = await logout()
    dispatch(loggedOut())
    dispatch(api.util.invalidateTags(['Player']))
    // The menu is removed with the focus in it.
    document.getElementById('main')?.focus({ preventScroll: true })
    if (!error) {
      toaster.success({ title: 'Successfully logged out!' })
      return
    }
    console.error('The server could not be told about the logout.', error)
    // The cookie remains valid: a reload would log in again.
    toaster.warning({
      title: 'You are logged out here, but the server could not be told.',
      description: 'Log in and out again to end the session permanently.',
    })
  }
  return (
    <WithChakra>
      <Menu.Root positioning={{ placement: 'bottom-end' }} defaultOpen lazyMount>
        <Menu.Trigger asChild>{button}</Menu.Trigger>
        <Menu.Positioner>
          <Menu.Content minW="12rem">
            <Menu.Item value="submit" asChild>
              <Link to={paths.recordSubmit}>
                <UploadIcon /> Submit Record
              </Link>
            </Menu.Item>
            <Menu.Item value="profile" asChild>
              <Link to={paths.player(user._id)}>
                <UserIcon /> My Profile
              </Link>
            </Menu.Item>
            <Menu.Item value="logout" onClick={leave}>
              <LogOutIcon /> Log Out
            </Menu.Item>
          </Menu.Content>
        </Menu.Positioner>
      </Menu.Root>
    </WithChakra>
  )
}
