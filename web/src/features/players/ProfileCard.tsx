import { Button, Flex, Stack, Text } from '@chakra-ui/react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { Player } from '@/shared/api'
import { Avatar } from '@/shared/components/Avatar'
import { PencilIcon } from '@/shared/components/icons'
import { PageHeading } from '@/shared/components/PageHeading'
import { Skeleton } from '@/shared/components/Skeleton'
import { formatDate } from '@/shared/lib/dates'
import { useSession } from '@/shared/session/useSession'
import styles from './ProfileCard.module.css'
import { RoleBadges } from './RoleBadges'

const AvatarDialog = lazy(() => import('./AvatarDialog'))

// ProfileCard is who a player is. One's own has a button for changing the avatar.
export function ProfileCard({ player }: { player: Player }) {
  const own = useSession()?._id === player._id
  const [editing, setEditing] = useState(false)
  return (
    <Flex {...card}>
      <Stack align="center" alignSelf="flex-start" gap="3">
        <Avatar player={player} size={28} />
        {own && (
          <Button size="xs" variant="outline" onClick={() => setEditing(true)}>
            <PencilIcon /> Edit avatar
          </Button>
        )}
      </Stack>
      <Stack gap="3" flex="1" minW="0">
        <PageHeading>{player.name}</PageHeading>
        <RoleBadges roles={player.roles} on="profile" />
        {!player.registered && (
          <Text color="fg.muted">
            Nobody has claimed this profile yet. It belongs to the author of a map, and becomes theirs with
            their first login.
          </Text>
        )}
        <dl className={styles.facts}>
          <Fact label="Level">{player.level || 'N/A'}</Fact>
          <Fact label="Maps">{player.mapCount}</Fact>
          <Fact label="Records">{player.recordCount}</Fact>
          <Fact label="Member Since">{formatDate(player.createdAt)}</Fact>
          <Fact label="Last Updated">{formatDate(player.updatedAt)}</Fact>
        </dl>
      </Stack>
      {editing && (
        <Suspense>
          <AvatarDialog player={player} onClose={() => setEditing(false)} />
        </Suspense>
      )}
    </Flex>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className={styles.label}>{label}</dt>
      <dd className={styles.value}>{children}</dd>
    </div>
  )
}

export function ProfileCardSkeleton() {
  return (
    <Flex {...card}>
      <Skeleton h="7rem" w="7rem" shape="circle" />
      <Stack gap="3" flex="1">
        <Skeleton h="2.5rem" w="14rem" />
        <Text role="status" color="fg.muted">
          Loading player information...
        </Text>
        <Skeleton h="2.5rem" w="24rem" />
      </Stack>
    </Flex>
  )
}

const card = {
  direction: { base: 'column', sm: 'row' },
  align: { base: 'stretch', sm: 'flex-start' },
  gap: { base: '4', md: '8' },
  p: { base: '5', md: '8' },
  bg: 'bg.panel',
  borderWidth: '1px',
  rounded: 'l3',
  shadow: 'card',
} as const
