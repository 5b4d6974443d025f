import { Menu } from '@chakra-ui/react'
import type { ReactElement } from 'react'
import { Link } from 'react-router'
import { useLogout } from '@/features/auth/useLogout'
import { WithChakra } from '@/shared/chakra/WithChakra'
import { LogOutIcon, UploadIcon, UserIcon } from '@/shared/components/icons'
import type { User } from '@/shared/session/sessionSlice'

// AvatarMenuItems is the menu behind an avatar. It opens at once.
export default function AvatarMenuItems({ user, button }: { user: User; button: ReactElement }) {
  const logout = useLogout()
  const leave = async () => {
    await logout()
    // The menu is gone, and the focus would be with it.
    document.getElementById('main')?.focus({ preventScroll: true })
  }
  return (
    <WithChakra>
      <Menu.Root positioning={{ placement: 'bottom-end' }} defaultOpen lazyMount>
        <Menu.Trigger asChild>{button}</Menu.Trigger>
        <Menu.Positioner>
          <Menu.Content minW="12rem">
            <Menu.Item value="submit" asChild>
              <Link to="/replay-submit">
                <UploadIcon /> Submit Record
              </Link>
            </Menu.Item>
            <Menu.Item value="profile" asChild>
              <Link to={`/player/${user._id}`}>
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
