import { Button, Menu } from '@chakra-ui/react'
import { Link } from 'react-router'
import { useLogout } from '@/features/auth/useLogout'
import { Avatar } from '@/shared/components/Avatar'
import { ChevronDownIcon, LogOutIcon, UploadIcon, UserIcon } from '@/shared/components/icons'
import type { User } from '@/shared/session/sessionSlice'

// AvatarMenu is what somebody who is logged in has in the header.
export default function AvatarMenu({ user }: { user: User }) {
  const logout = useLogout()
  const leave = async () => {
    await logout()
    // The menu is gone, and the focus would be with it.
    document.getElementById('main')?.focus({ preventScroll: true })
  }
  return (
    <Menu.Root positioning={{ placement: 'bottom-end' }} lazyMount>
      <Menu.Trigger asChild>
        <Button variant="ghost" px="1.5" gap="1" aria-label={`Account of ${user.name}`}>
          <Avatar player={user} size={8} />
          <ChevronDownIcon size={4} />
        </Button>
      </Menu.Trigger>

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
  )
}
