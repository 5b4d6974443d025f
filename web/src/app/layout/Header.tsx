import type { Ref } from 'react'
import { config } from '@/config'
import { LoginButton } from '@/features/auth/LoginButton'
import { ButtonLink, IconButton } from '@/shared/components/Button'
import { ChatIcon, CloseIcon, MenuIcon } from '@/shared/components/icons'
import { useSession } from '@/shared/session/useSession'
import { AvatarMenu } from './AvatarMenu'
import styles from './Header.module.css'
import { Logo } from './Logo'
import { ThemeToggle } from './ThemeToggle'

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
          look="ghost"
          className={styles.menuButton}
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
            <ButtonLink to="/replay-submit" size="sm" className={styles.submit}>
              Submit Record
            </ButtonLink>
            <AvatarMenu user={user} />
          </>
        ) : (
          <LoginButton size="sm" />
        )}
      </div>
    </header>
  )
}
