import type { LoginState } from '@/shared/api'
import { Button } from '@/shared/components/Button'
import { ExternalLinkIcon } from '@/shared/components/icons'
import { Skeleton } from '@/shared/components/Skeleton'
import { Spinner } from '@/shared/components/Spinner'
import { Stack } from '@/shared/components/Stack'
import { CodeEntry } from './CodeEntry'
import { Countdown } from './Countdown'
import styles from './LoginRoom.module.css'
import { useGoHome } from './useGoHome'
import { type Room, useLoginRoom } from './useLoginRoom'

// LoginRoom leads through a login: a room in the game, a code that is told there, and back to the site.
export function LoginRoom() {
  const { room, ask, poll, stop } = useLoginRoom()
  const succeeded = room.stage === 'open' && room.status?.status === 'success'
  useGoHome(succeeded)

  return (
    <Stack gap={6}>
      {(room.stage === 'requesting' || isInLine(room)) && <RoomSkeleton />}
      {room.stage === 'open' && !isInLine(room) && !succeeded && (
        <Stack gap={3} centred>
          <a href={room.link.roomLink} target="_blank" rel="noreferrer" className={styles.room}>
            Join Verification Room <ExternalLinkIcon size={4} />
          </a>
          <Countdown key={room.link.sessionId} seconds={room.link.expiresIn} />
        </Stack>
      )}
      <p role="status" aria-live="polite" className={styles.status}>
        {isWaiting(room) && (
          <span className={styles.spinner}>
            <Spinner branded />
          </span>
        )}
        {statusText(room)}
      </p>
      {room.stage === 'open' && room.status?.status === 'code_provided' && (
        <CodeEntry sessionId={room.link.sessionId} onSuccess={stop} onRefused={poll} />
      )}
      {(room.stage === 'over' || room.stage === 'unavailable') && (
        <Button size="lg" className={styles.again} onClick={ask}>
          Try Again
        </Button>
      )}
    </Stack>
  )
}

// RoomSkeleton keeps the place of the link and its countdown, so that nothing moves when they come.
function RoomSkeleton() {
  return (
    <Stack gap={3} centred aria-hidden="true">
      <Skeleton h="3rem" w="16rem" />
      <Skeleton h="1.25rem" w="12rem" />
    </Stack>
  )
}

/** Whether other logins are before this one, so that its room is not open yet. */
function isInLine(room: Room): boolean {
  return room.stage === 'open' && !room.link.roomLink
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
      if (isInLine(room)) {
        const place = room.link.place ?? 0
        return `Your room is being prepared. ${place > 0 ? `${place} before you.` : 'You are next.'}`
      }
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
