import { styled } from 'styled-system/jsx'
import { config } from '@/config'
import { paths } from '@/routes/paths'
import { RouteLink } from '@/ui/PageLink'

const HomeLink = styled(RouteLink, {
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
export function Logo() {
  return (
    <HomeLink to={paths.home} aria-label={`${config.siteName}, home`}>
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
