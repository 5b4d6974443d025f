import { i18n } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { LoginState, LoginStatus } from '@/api'
import { refreshSession } from '@/api/refresh'
import { isEnglish, serverText } from '@/locales'
import { paths } from '@/routes/paths'
import { returnPathOf, selectIsLoggedIn } from '@/session/session'
import { useAppStore } from '@/store/hooks'
import { Button, Skeleton, Spinner, Stack, Text } from '@/ui'
import { ExternalLinkIcon } from '@/ui/icons'
import { ExternalButtonLink } from '@/ui/links'
import { toaster } from '@/ui/toaster'
import { CodeEntry } from './CodeEntry'
import { followAccount } from './followAccount'
import { isInLine, type LoginStep, useLoginRoom } from './useLoginRoom'

/** A login from the room link to the redirect. */
export function LoginRoom() {
  const { step, request, poll, finish } = useLoginRoom()
  const succeeded = step.stage === 'open' && step.status?.status === 'success'
  useRedirectAfterLogin(succeeded)

  return (
    <Stack gap="6">
      {(step.stage === 'requesting' || isInLine(step)) && <RoomSkeleton />}
      {step.stage === 'open' && !isInLine(step) && !succeeded && (
        <Stack gap="3" align="center">
          <ExternalButtonLink size="lg" href={step.link.roomLink}>
            <Trans>Join Verification Room</Trans> <ExternalLinkIcon size={4} />
          </ExternalButtonLink>
          <Countdown key={step.link.sessionId} expiresIn={step.link.expiresIn} />
        </Stack>
      )}
      <Text role="status" aria-live="polite" minH="7" textStyle="lg" fontWeight="medium" textAlign="center">
        {isWaiting(step) && <Spinner size="sm" me="2" color="fg.muted" aria-hidden="true" />}
        <span>{statusText(step)}</span>
      </Text>
      {step.stage === 'open' && step.status?.status === 'code_provided' && (
        <CodeEntry sessionId={step.link.sessionId} onSuccess={finish} onRefused={poll} />
      )}
      {(step.stage === 'ended' || step.stage === 'unavailable') && (
        <Button size="lg" alignSelf="center" onClick={request}>{t`Try Again`}</Button>
      )}
    </Stack>
  )
}

// As large as the link and its countdown, so that nothing moves when they appear.
function RoomSkeleton() {
  return (
    <Stack gap="3" align="center" aria-hidden="true">
      <Skeleton h="11" w="64" />
      <Skeleton h="5" w="48" />
    </Stack>
  )
}

/** How long the room stays open. It is no live region, which would speak every second. */
function Countdown({ expiresIn }: { expiresIn: number }) {
  const [end] = useState(() => Date.now() + expiresIn * 1000)
  const [left, setLeft] = useState(expiresIn)
  useEffect(() => {
    const timer = setInterval(() => setLeft(Math.max(0, Math.round((end - Date.now()) / 1000))), 1000)
    return () => clearInterval(timer)
  }, [end])
  const minutes = i18n.number(Math.floor(left / 60))
  const seconds = i18n.number(left % 60, { minimumIntegerDigits: 2 })
  return (
    <Text textStyle="sm" color="fg.muted" fontVariantNumeric="tabular-nums">
      <Trans>
        The room stays open for {minutes}:{seconds}
      </Trans>
    </Text>
  )
}

const isWaiting = (step: LoginStep): boolean =>
  step.stage === 'requesting' || (step.stage === 'open' && step.status?.status !== 'code_provided')

function statusText(step: LoginStep): string {
  switch (step.stage) {
    case 'requesting':
      return t`Asking for a verification room…`
    case 'unavailable':
      return t`Error retrieving room link. Please try again.`
    case 'ended':
      return statusSentence(step.status) || endedText(step.status.status)
    default:
      // The server's sentence names the place, too.
      if (isInLine(step) && (!step.status?.message || !isEnglish())) {
        const place = step.link.place ?? 0
        if (step.status?.reason === 'network_queued') {
          return plural(place, {
            0: `Your room is being prepared.`,
            other: `Your room is being prepared. # before you from your network.`,
          })
        }
        return plural(place, {
          0: `Your room is being prepared. You are next.`,
          other: `Your room is being prepared. # before you.`,
        })
      }
      if (step.status?.message) return statusSentence(step.status)
      return step.status?.status === 'code_provided'
        ? t`The bot in the room has sent you a code. Enter it here.`
        : t`Waiting for you to join the room...`
  }
}

const statusSentence = ({ reason, message }: LoginStatus): string => serverText([`server.login.${reason}`], message)

// Where the server does not say why a login has ended.
function endedText(state: LoginState): string {
  if (state === 'timeout') return t`The room has closed. Please try again.`
  if (state === 'invalid') return t`This login is no longer valid. Please try again.`
  return t`The login failed. Please try again.`
}

const REDIRECT_AFTER_MS = 2000

/**
 * Confirms a login and leads to the page that required it, or home. A login that another tab has finished brings its
 * session by the cookie.
 */
export function useRedirectAfterLogin(succeeded: boolean): void {
  const navigate = useNavigate()
  const { state } = useLocation()
  const store = useAppStore()
  const target = returnPathOf(state) ?? paths.home
  useEffect(() => {
    if (!succeeded) return
    // After the effect, as in useErrorToast.
    queueMicrotask(() => toaster.success({ id: 'logged in', title: t`Successfully logged in!` }))
    const timer = setTimeout(async () => {
      if (!selectIsLoggedIn(store.getState()) && (await refreshSession(store)) === 'refreshed')
        void followAccount(store)
      navigate(target, { replace: true })
    }, REDIRECT_AFTER_MS)
    return () => clearTimeout(timer)
  }, [succeeded, navigate, store, target])
}
