interface Probe {
  readonly httpGet?: { readonly path: string; readonly port: string }
}
interface Container {
  readonly name: string
  readonly image: string
  readonly args?: readonly string[]
  readonly env?: readonly { readonly name: string; readonly value?: string }[]
  readonly ports?: readonly { readonly name: string }[]
  readonly startupProbe?: Probe
  readonly livenessProbe?: Probe
  readonly readinessProbe?: Probe
  readonly resources?: {
    readonly requests?: Readonly<Record<string, string>>
    readonly limits?: Readonly<Record<string, string>>
  }
  readonly securityContext?: {
    readonly allowPrivilegeEscalation?: boolean
    readonly readOnlyRootFilesystem?: boolean
    readonly capabilities?: { readonly drop?: readonly string[] }
  }
}
interface PodSpec {
  readonly automountServiceAccountToken?: boolean
  readonly enableServiceLinks?: boolean
  readonly terminationGracePeriodSeconds?: number
  readonly securityContext?: {
    readonly runAsNonRoot?: boolean
    readonly runAsUser?: number
    readonly seccompProfile?: { readonly type: string }
  }
  readonly containers: readonly Container[]
  readonly volumes?: readonly { readonly configMap?: { readonly name: string } }[]
}
interface NetworkPeer {
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] }
}

/** As much of a Kubernetes resource as the policy reads. */
export interface Resource {
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly labels?: Readonly<Record<string, string>>
  }
  readonly data?: Readonly<Record<string, string>>
  readonly spec?: {
    readonly selector?: unknown
    readonly volumeClaimTemplates?: readonly { readonly metadata: { readonly name: string } }[]
    readonly template?: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> }
      readonly spec: PodSpec
    }
    readonly egress?: readonly {
      readonly to: readonly NetworkPeer[]
      readonly ports: readonly { readonly port: number; readonly protocol: string }[]
    }[]
  }
}

/** What keeps a Deployment from being fit to run: one line a fault. The API server's schema would let all of these pass. */
export function workloadFaults(deployment: Resource, { minimumGraceMs }: { minimumGraceMs: number }): string[] {
  const pod = deployment.spec?.template?.spec
  if (pod === undefined) return ['has no pod template']
  const faults: string[] = []
  const demand = (holds: boolean, fault: string) => {
    if (!holds) faults.push(fault)
  }
  const user = pod.securityContext
  demand(user?.runAsNonRoot === true && (user.runAsUser ?? 0) > 0, 'may run as root')
  demand(user?.seccompProfile?.type === 'RuntimeDefault', 'has no seccomp profile')
  demand(pod.automountServiceAccountToken === false, 'mounts a service account token')
  demand(pod.enableServiceLinks === false, 'gets RECAPD_* variables from service links')
  demand((pod.terminationGracePeriodSeconds ?? 30) * 1_000 > minimumGraceMs, 'is killed before it has drained')
  faults.push(...pod.containers.flatMap((container) => containerFaults(container)))
  return faults.map((fault) => `${deployment.metadata.name} ${fault}`)
}

function containerFaults(container: Container): string[] {
  const faults: string[] = []
  const demand = (holds: boolean, fault: string) => {
    if (!holds) faults.push(fault)
  }
  const { securityContext: context, resources } = container
  demand(context?.allowPrivilegeEscalation === false, 'may gain privileges')
  demand(context?.readOnlyRootFilesystem === true, 'may write to its image')
  demand(context?.capabilities?.drop?.includes('ALL') === true, 'keeps capabilities')
  demand(container.livenessProbe !== undefined && container.readinessProbe !== undefined, 'lacks a probe')
  demand(/:(?!latest)[\w.-]+$/.test(container.image), 'floats on an unpinned image')
  demand(resources?.requests?.['cpu'] !== undefined && resources.requests['memory'] !== undefined, 'requests nothing')
  demand(resources?.limits?.['memory'] !== undefined, 'has no memory limit')
  demand(resources?.limits?.['cpu'] === undefined, 'is throttled by a CPU limit')
  if (container.name === 'recapd') {
    const paths = [container.startupProbe, container.livenessProbe, container.readinessProbe].map(
      (probe) => probe?.httpGet?.path,
    )
    // Liveness must never ask /readyz: a draining process would be killed for draining.
    demand(paths.join() === '/livez,/livez,/readyz', `probes ${paths.join()}`)
  }
  return faults
}
