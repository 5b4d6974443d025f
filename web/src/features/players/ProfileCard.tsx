import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { Player } from '@/shared/api'
import { Avatar } from '@/shared/components/Avatar'
import { Button } from '@/shared/components/Button'
import { PencilIcon } from '@/shared/components/icons'
import { PageHeading } from '@/shared/components/PageHeading'
import { Skeleton } from '@/shared/components/Skeleton'
import { Stack } from '@/shared/components/Stack'
import { formatDate } from '@/shared/lib/dates'
import { useSession } from '@/shared/session/useSession'
import text from '@/shared/theme/text.module.css'
import styles from './ProfileCard.module.css'
import { RoleBadges } from './RoleBadges'

const AvatarDialog = lazy(() => import('./AvatarDialog'))

// ProfileCard is who a player is. One's own has a button for changing the avatar.
export function ProfileCard({ player }: { player: Player }) {
  const own = useSession()?._id === player._id
  const [editing, setEditing] = useState(false)
  return (
    <section className={styles.card}>
      <Stack gap={3} centred className={styles.portrait}>
        <Avatar player={player} size={28} />
        {own && (
          <Button size="xs" look="outline" onClick={() => setEditing(true)}>
            <PencilIcon /> Edit avatar
          </Button>
        )}
      </Stack>
      <Stack gap={3} className={styles.facts}>
        <PageHeading>{player.name}</PageHeading>
        <RoleBadges roles={player.roles} on="profile" />
        {!player.registered && (
          <p className={text.muted}>
            Nobody has claimed this profile yet. It belongs to the author of a map, and becomes theirs with
            their first login.
          </p>
        )}
        <dl className={styles.list}>
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
    </section>
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
    <section className={styles.card}>
      <Skeleton h="7rem" w="7rem" shape="circle" />
      <Stack gap={3} className={styles.facts}>
        <Skeleton h="2.5rem" w="14rem" />
        <p role="status" className={text.muted}>
          Loading player information...
        </p>
        <Skeleton h="2.5rem" w="24rem" />
      </Stack>
    </section>
  )
}
