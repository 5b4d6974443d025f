//go:build ignore

// Policies enforces network policies by kube-router's controller alone, without its routing: programs.sh builds it.
package main

import (
	"log"
	"sync"

	"github.com/cloudnativelabs/kube-router/v2/pkg/controllers/netpol"
	"github.com/cloudnativelabs/kube-router/v2/pkg/healthcheck"
	"github.com/cloudnativelabs/kube-router/v2/pkg/options"
	"github.com/spf13/pflag"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
)

func main() {
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

func run() error {
	config := options.NewKubeRouterConfig()
	config.AddFlags(pflag.CommandLine)
	pflag.Parse()
	access, err := clientcmd.BuildConfigFromFlags("", config.Kubeconfig)
	if err != nil {
		return err
	}
	client, err := kubernetes.NewForConfig(access)
	if err != nil {
		return err
	}
	stop := make(chan struct{})
	factory := informers.NewSharedInformerFactory(client, 0)
	pods, namespaces := factory.Core().V1().Pods().Informer(), factory.Core().V1().Namespaces().Informer()
	policies := factory.Networking().V1().NetworkPolicies().Informer()
	factory.Start(stop)
	factory.WaitForCacheSync(stop)
	commands, sets, err := netpol.NewIPTablesHandlers(config)
	if err != nil {
		return err
	}
	controller, err := netpol.NewNetworkPolicyController(client, config, pods, policies, namespaces, &sync.Mutex{},
		commands, sets)
	if err != nil {
		return err
	}
	if _, err := pods.AddEventHandler(controller.PodEventHandler); err != nil {
		return err
	}
	if _, err := policies.AddEventHandler(controller.NetworkPolicyEventHandler); err != nil {
		return err
	}
	if _, err := namespaces.AddEventHandler(controller.NamespaceEventHandler); err != nil {
		return err
	}
	heartbeats := make(chan *healthcheck.ControllerHeartbeat)
	go func() {
		for range heartbeats { // its health is not asked for
		}
	}()
	var running sync.WaitGroup
	running.Add(1)
	controller.Run(heartbeats, stop, &running)
	return nil
}
