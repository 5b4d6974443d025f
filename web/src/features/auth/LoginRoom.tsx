import { Box, Button, Link, Spinner, Stack, Text } from '@chakra-ui/react'
import type { LoginState } from '@/shared/api'
import { ExternalLinkIcon } from '@/shared/components/icons'
import { Skeleton } from '@/shared/components/Skeleton'
import { CodeEntry } from './CodeEntry'
import { Countdown } from './Countdown'
import { useGoHome } from './useGoHome'
import { type Room, useLoginRoom } from './useLoginRoom'

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
    case 'over':
      return room.status.message || OVER[room.status.status] || 'The login failed. Please try again.'
    default:
      if (room.status?.message) return room.status.message
      return room.status?.status === 'code_provided'
        ? 'The room has told you a code. Enter it here.'
        : 'Waiting for you to join the room...'
  }
}

// Where the server does not say why a login has ended.
const OVER: Partial<Record<LoginState, string>> = {
  timeout: 'The room has closed. Please try again.',
  invalid: 'This login is no longer valid. Please try again.',
}
