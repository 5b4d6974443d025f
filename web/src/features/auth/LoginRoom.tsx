import { Box, Button, Heading, Link, Spinner, Stack, Text } from '@chakra-ui/react'
import { useEffect, useState } from 'react'
import { useStore } from 'react-redux'
import { useNavigate } from 'react-router'
import { refreshSession } from '@/shared/api/refresh'
import { ExternalLinkIcon } from '@/shared/components/icons'
import { Skeleton } from '@/shared/components/Skeleton'
import { toaster } from '@/shared/components/toaster'
import { selectIsLoggedIn, type WithSession } from '@/shared/session/sessionSlice'
import { CodeEntry } from './CodeEntry'
import { type Room, useLoginRoom } from './useLoginRoom'

export const REDIRECT_AFTER_MS = 2000

// LoginRoom leads through a login: a room in the game, a code that is told there, and back to the site.
export function LoginRoom() {
  const { room, ask, poll, stop } = useLoginRoom()
  const succeeded = room.stage === 'open' && room.status?.status === 'success'
  useGoHome(succeeded)

  return (
    <Stack gap="6">
      {room.stage === 'requesting' && <RoomSkeleton />}
      {room.stage === 'open' && !succeeded && (
        <Stack gap="3" align="center">
          <Link
            href={room.link.roomLink}
            target="_blank"
            rel="noreferrer"
            px="6"
            py="3"
            rounded="l2"
            fontWeight="semibold"
            bg="brand.solid"
            color="brand.contrast"
            _hover={{ textDecoration: 'none', opacity: 0.9 }}
          >
            Join Verification Room <ExternalLinkIcon size={4} />
          </Link>
          <Countdown key={room.link.sessionId} seconds={room.link.expiresIn} />
        </Stack>
      )}
      <Box role="status" aria-live="polite" textAlign="center" minH="7">
        <Text fontWeight="medium" textStyle="lg">
          {isWaiting(room) && <Spinner size="sm" color="brand.fg" me="2" />}
          {statusText(room)}
        </Text>
      </Box>
      {room.stage === 'open' && room.status?.status === 'code_provided' && (
        <CodeEntry sessionId={room.link.sessionId} onSuccess={stop} onRefused={poll} />
      )}
      {(room.stage === 'over' || room.stage === 'unavailable') && (
        <Button alignSelf="center" size="lg" onClick={ask}>
          Try Again
        </Button>
      )}
    </Stack>
  )
}

// RoomSkeleton keeps the place of the link and its countdown, so that nothing moves when they come.
function RoomSkeleton() {
  return (
    <Stack gap="3" align="center" aria-hidden="true">
      <Skeleton h="3rem" w="16rem" />
      <Skeleton h="1.25rem" w="12rem" />
    </Stack>
  )
}

function isWaiting(room: Room): boolean {
  return room.stage === 'requesting' || (room.stage === 'open' && room.status?.status !== 'code_provided')
}

function statusText(room: Room): string {
  switch (room.stage) {
    case 'requesting':
      return 'Asking for a verification room…'
    case 'unavailable':
      return 'Error retrieving room link. Please try again.'
    default:
      return room.status?.message || 'Waiting for you to join the room...'
  }
}

// useGoHome greets whoever has logged in, and leads to the site. A login that another tab of this browser has finished
// brings its session by the cookie.
function useGoHome(succeeded: boolean): void {
  const navigate = useNavigate()
  const store = useStore<WithSession>()
  useEffect(() => {
    if (!succeeded) return
    // A toast draws itself at once, which it may not while this effect runs.
    queueMicrotask(() => toaster.success({ id: 'logged in', title: 'Successfully logged in!' }))
    const timer = setTimeout(async () => {
      if (!selectIsLoggedIn(store.getState())) await refreshSession(store)
      navigate('/')
    }, REDIRECT_AFTER_MS)
    return () => clearTimeout(timer)
  }, [succeeded, navigate, store])
}

// Countdown tells how long the room stays open. It is no live region: that would speak every second.
function Countdown({ seconds }: { seconds: number }) {
  const [end] = useState(() => Date.now() + seconds * 1000)
  const [left, setLeft] = useState(seconds)
  useEffect(() => {
    const timer = setInterval(() => setLeft(Math.max(0, Math.round((end - Date.now()) / 1000))), 1000)
    return () => clearInterval(timer)
  }, [end])
  return (
    <Text color="fg.muted" textStyle="sm" fontVariantNumeric="tabular-nums">
      The room stays open for {Math.floor(left / 60)}:{String(left % 60).padStart(2, '0')}
    </Text>
  )
}

export function LoginSteps({ game }: { game: string }) {
  return (
    <Box>
      <Heading as="h2" textStyle="lg" mb="2">
        How it works
      </Heading>
      <Stack as="ol" gap="2" color="fg.muted" ps="5" listStyleType="decimal">
        <li>Join the verification room with your {game} account. It opens in a new tab.</li>
        <li>The bot in the room tells you a code of six digits. Keep it to yourself.</li>
        <li>Come back to this page and enter the code.</li>
      </Stack>
    </Box>
  )
}
