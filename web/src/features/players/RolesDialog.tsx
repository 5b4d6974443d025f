import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import * as v from 'valibot'
import { type Player, useUpdatePlayerMutation } from '@/api'
import { ChecksField, Form, type Outcome, TextField, useForm, useSubmit } from '@/forms'
import type { Role } from '@/session/roles'
import { Name, Text } from '@/ui'
import { FormDialog } from '@/ui/more/FormDialog'

const ROLES: readonly Role[] = ['validator', 'moderator', 'admin']

/** What each role may do, as docs/permissions.md lists it. */
const roleTexts = (): Record<Role, [name: string, text: string]> => ({
  validator: [t`Validator`, t`Submits and edits other players' maps`],
  moderator: [t`Moderator`, t`Decides cases at the moderators' desk`],
  admin: [t`Admin`, t`Also merges players and changes roles`],
})

interface Values {
  /** Those that give rights; the field has the server's name. */
  roles: Role[]
  badges: string
}

const isRight = (role: string) => ROLES.some((right) => right === role)

const badgesOf = (text: string) =>
  text
    .split(',')
    .map((badge) => badge.trim())
    .filter(Boolean)

const schema = () =>
  v.pipe(
    v.object({
      roles: v.array(v.string()),
      badges: v.pipe(
        v.string(),
        v.check(
          // The server reads a role in capitals, too.
          (badges) => !badgesOf(badges).some((badge) => isRight(badge.toLowerCase())),
          t`A role that gives rights is chosen above, not written here.`,
        ),
      ),
    }),
    v.transform(({ roles, badges }) => [...roles, ...badgesOf(badges)]),
  )

interface Props {
  player: Player
  onClose: () => void
}

/** A dialog that changes a player's roles. It opens when it is mounted. */
export default function RolesDialog({ player, onClose }: Props) {
  return (
    <FormDialog
      title={
        <Trans>
          Roles of <Name>{player.name}</Name>
        </Trans>
      }
      onClose={onClose}
    >
      <RolesForm player={player} onClose={onClose} />
    </FormDialog>
  )
}

function RolesForm({ player: present, onClose }: Props) {
  // The change is of the player that the form shows, who may be another now. The server refuses it then.
  const [player] = useState(present)
  const [update] = useUpdatePlayerMutation()
  const form = useForm<Values, string[]>({
    schema,
    defaultValues: {
      roles: ROLES.filter((role) => player.roles.includes(role)),
      badges: player.roles.filter((role) => !isRight(role)).join(', '),
    },
  })
  const send = async (roles: string[]): Promise<Outcome> => {
    const { data, error } = await update({
      id: player._id,
      playerUpdate: { roles: JSON.stringify(roles), updatedAt: player.updatedAt },
    })
    if (!data) return { error }
    onClose()
    return { message: t`Roles changed` }
  }
  const submission = useSubmit(form, send, {
    fallback: t`Failed to change the roles`,
    loginRequired: t`You must be logged in to change roles`,
    fieldOf: (code) => (code === 'role_invalid' ? 'badges' : undefined),
  })
  return (
    <Form form={form} submission={submission} label={t`Roles`} button={t`Save`} onCancel={onClose}>
      <ChecksField control={form.control} name="roles" label={t`Rights`} choices={roleTexts()} />
      <TextField
        control={form.control}
        name="badges"
        label={t`Badges`}
        help={t`Separated by commas. A badge gives no rights; some player has to have it already.`}
      />
      <Text textStyle="sm" color="fg.muted">
        <Trans>
          The last admin stays admin, and nobody changes their own roles. The change takes effect at once, and is in the
          audit log.
        </Trans>
      </Text>
    </Form>
  )
}
