import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from 'react-router'
import { config } from '@/config'
import { paths } from '@/routes/paths'
import { useSession } from '@/store/hooks'
import { Box, Container, IconButton, styled } from '@/ui'
import { BellIcon, ChatIcon, MoonIcon, SunIcon } from '@/ui/icons'
import { LazyParts, lazyPart } from '@/ui/lazyPart'
import { ButtonLink, ExternalButtonLink } from '@/ui/links'
import { useColourChoice, useIsLight } from '@/ui/theme/colourMode'
import { AvatarMenu } from './AvatarMenu'
import { MobileMenu } from './MobileMenu'
import { SiteSearch } from './SiteSearch'
import { useIsWide } from './useIsWide'

const Bar = styled('header', {
  base: {
    position: 'sticky',
    zIndex: 'sticky',
    top: '0',
    h: '14',
    flexShrink: 0,
    borderBottomWidth: '1px',
    bg: 'bg.panel/90',
    backdropFilter: 'blur(10px)',
  },
})

export function Header() {
  const user = useSession()
  const wide = useIsWide()
  return (
    <Bar>
      <Container display="flex" alignItems="center" w="full" h="full" gap={{ base: '0.5', sm: '1', md: '2' }}>
        {!wide && <MobileMenu />}
        <Logo />
        {wide && (
          <Box flex="1" minW="0" ms="4">
            <SiteSearch />
          </Box>
        )}
        <ExternalButtonLink
          variant="ghost"
          px={{ base: '1.5', sm: '2.5' }}
          ms="auto"
          href={config.chatUrl}
          aria-label={t`Community chat`}
        >
          <ChatIcon />
          <styled.span hideBelow="lg">{t`Chat`}</styled.span>
        </ExternalButtonLink>
        <ThemeToggle />
        {user ? (
          <>
            <ButtonLink to={paths.recordSubmit} size="sm" hideBelow="md">{t`Submit Record`}</ButtonLink>
            <Inbox />
            <AvatarMenu user={user} />
          </>
        ) : (
          <ButtonLink to={paths.login} size="sm" px={{ base: '2', sm: '3.5' }}>
            <Trans>Login with {config.game.name}</Trans>
          </ButtonLink>
        )}
      </Container>
    </Bar>
  )
}

// Visitors have none. Without its code, the page of the inbox is there.
const InboxButton = lazyPart(() => import('@/features/inbox/InboxButton'), InboxLink)

function Inbox() {
  return (
    <LazyParts fallback={<InboxLink />}>
      <InboxButton />
    </LazyParts>
  )
}

function InboxLink() {
  return (
    <ButtonLink to={paths.inbox} variant="ghost" px="1.5" aria-label={t`Inbox`}>
      <BellIcon />
    </ButtonLink>
  )
}

const HomeLink = styled(Link, {
  base: {
    display: 'flex',
    alignItems: 'center',
    gap: '2',
    flexShrink: 0,
    rounded: 'l2',
    focusVisibleRing: 'outside',
  },
})

/** The ball above its cap zone and the site's name; it links home. */
function Logo() {
  return (
    <HomeLink to={paths.home} aria-label={t`${config.siteName}, home`}>
      <svg viewBox="0 0 32 32" width="32" height="32" aria-hidden="true">
        <rect width="32" height="32" rx="9" fill="#0e2a31" />
        <path d="M6 23h20" stroke="#28b3c1" strokeWidth="3" strokeLinecap="round" />
        <path d="M9 23a7 7 0 0 1 14 0" fill="#52cdd8" fillOpacity=".35" />
        <circle cx="16" cy="13" r="5.5" fill="#ffb84d" />
      </svg>
      <styled.span hideBelow="sm" fontFamily="heading" textStyle="xl" fontWeight="bold" letterSpacing="tight">
        {config.siteName}
      </styled.span>
    </HomeLink>
  )
}

/** Switches between light and dark; the footer also offers to follow the system. */
function ThemeToggle() {
  const [, choose] = useColourChoice()
  const light = useIsLight()
  return (
    <IconButton
      variant="ghost"
      aria-label={light ? t`Switch to dark mode` : t`Switch to light mode`}
      onClick={() => choose(light ? 'dark' : 'light')}
    >
      {light ? <MoonIcon /> : <SunIcon />}
    </IconButton>
  )
}
