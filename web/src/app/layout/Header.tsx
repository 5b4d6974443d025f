import { Container, Link as ExternalLink, Flex, IconButton, Text } from '@chakra-ui/react'
import { lazy, Suspense } from 'react'
import { config } from '@/config'
import { LoginButton } from '@/features/auth/LoginButton'
import { Avatar } from '@/shared/components/Avatar'
import { ButtonLink } from '@/shared/components/ButtonLink'
import { ChatIcon, CloseIcon, MenuIcon } from '@/shared/components/icons'
import { useSession } from '@/shared/session/useSession'
import { Logo } from './Logo'
import { ThemeToggle } from './ThemeToggle'

// Visitors never need it.
const AvatarMenu = lazy(() => import('./AvatarMenu'))

interface Props {
  menuOpen: boolean
  onMenu: () => void
}

export function Header({ menuOpen, onMenu }: Props) {
  const user = useSession()
  return (
    <Flex
      as="header"
      position="sticky"
      top="0"
      zIndex="sticky"
      bg="bg.panel/90"
      backdropFilter="blur(10px)"
      borderBottomWidth="1px"
      h="14"
    >
      <Container maxW="7xl" display="flex" alignItems="center" gap={{ base: '1', md: '2' }}>
        <IconButton
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
        <Flex flex="1" />
        <ExternalLink
          href={config.chatUrl}
          target="_blank"
          rel="noreferrer"
          aria-label="Community chat"
          px="2.5"
          h="10"
          rounded="l2"
          color="fg"
          _hover={{ bg: 'bg.muted', textDecoration: 'none' }}
        >
          <ChatIcon />
          <Text as="span" hideBelow="md" textStyle="sm" fontWeight="medium">
            Chat
          </Text>
        </ExternalLink>
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
      </Container>
    </Flex>
  )
}
