import { Menu } from '@chakra-ui/react'
import type { ReactElement } from 'react'
import { paths } from '@/routes/paths'
import type { User } from '@/session/session'
import { LogOutIcon, UploadIcon, UserIcon } from '@/ui/icons'
import { RouteLink } from '@/ui/links'
import { WithChakra } from '@/ui/WithChakra'
import { useLogout } from './useLogout'

/** The menu behind the avatar. It opens when it is mounted. */
export default function AvatarMenuItems({ user, button }: { user: User; button: ReactElement }) {
  const logout = useLogout()
  const leave = async () => {
    await logout()
    // The menu is removed with the focus in it.
    document.getElementById('main')?.focus({ preventScroll: true })
  }
  return (
    <WithChakra>
      <Menu.Root positioning={{ placement: 'bottom-end' }} defaultOpen lazyMount>
        <Menu.Trigger asChild>{button}</Menu.Trigger>
        <Menu.Positioner>
          <Menu.Content minW="12rem">
            <Menu.Item value="submit" asChild>
              <RouteLink to={paths.recordSubmit}>
                <UploadIcon /> Submit Record
              </RouteLink>
            </Menu.Item>
            <Menu.Item value="profile" asChild>
              <RouteLink to={paths.player(user._id)}>
                <UserIcon /> My Profile
              </RouteLink>
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
