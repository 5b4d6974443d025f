import { IconButton } from '@chakra-ui/react'
import { lazy, type Ref, Suspense } from 'react'
import { config } from '@/config'
import { LoginButton } from '@/features/auth/LoginButton'
import { Avatar } from '@/shared/components/Avatar'
import { ButtonLink } from '@/shared/components/ButtonLink'
import { ChatIcon, CloseIcon, MenuIcon } from '@/shared/components/icons'
import { useSession } from '@/shared/session/useSession'
import styles from './Header.module.css'
import { Logo } from './Logo'
import { ThemeToggle } from './ThemeToggle'

// Visitors never need it.
const AvatarMenu = lazy(() => import('./AvatarMenu'))

interface Props {
  menuOpen: boolean
  menuButton: Ref<HTMLButtonElement>
  onMenu: () => void
}

export function Header({ menuOpen, menuButton, onMenu }: Props) {
  const user = useSession()
  return (
    <header className={styles.header}>
      <div className={styles.bar}>
        <IconButton
          ref={menuButton}
          variant="ghost"
          hideFrom="md"
          ms="-2"
          aria-label={menuOpen ? 'Close menu' : 'Open menu'}
          aria-expanded={menuOpen}
          aria-controls="site-navigation"
          onClick={onMenu}
        >
          {menuOpen ? <CloseIcon /> : <MenuIcon />}
        </IconButton>
        <Logo />
        <a
          href={config.chatUrl}
          target="_blank"
          rel="noreferrer"
          className={styles.chat}
          aria-label="Community chat"
        >
          <ChatIcon />
          <span className={styles.word}>Chat</span>
        </a>
        <ThemeToggle />
        {user ? (
          <>
            <ButtonLink to="/replay-submit" size="sm" hideBelow="md">
              Submit Record
            </ButtonLink>
            <Suspense fallback={<Avatar player={user} size={8} />}>
              <AvatarMenu user={user} />
            </Suspense>
          </>
        ) : (
          <LoginButton size="sm" />
        )}
      </div>
    </header>
  )
}
