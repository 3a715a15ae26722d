// SPDX-License-Identifier: Apache-2.0

// Written by Tools/generate-word-lists; do not change this file by hand.
// The beginning of the list english_wikipedia of zxcvbn; NOTICE has its licence.

extension WordLists {
    /// Words of the English Wikipedia. The commonest first.
    static let encyclopediaWords = """
        the of and in was is for as on with by he at from his an were are which doc https also or has had first one
        their its after new who they two her she been other when time during there into school more may years over only
        year most would world city some where between later three state such then national used made known under many
        university united while part season team these american than film second born south became states war through
        being including both before north high however people family early history album area them series against until
        since district county name work life group music following number company several four called played released
        career league game government house each based day same won use station club international town located
        population general college east found age march end september began home public church line june river member
        system place century band july york january october song august best former british party named held village
        show local november took service december built another major within along members five single due although
        small old left final large include building served president received games death february main third set
        children own order species park law air published road died book men women army often according education
        central country division english top included development french community among water play side list times near
        late form original different center power led students german moved court six land council island u.s. record
        million research art established award street military television given region support western production non
        political point cup period business title started various election using england role produced become program
        works field total office class written association radio union level championship director few force created
        department founded services married though per n't site open act short society version royal present northern
        worked professional full returned joined story france european currently language social california india days
        design st. further round australia wrote san project control southern railway board popular continued free
        battle considered video common position living half playing recorded red post described average records special
        modern appeared announced areas rock release elected others example term opened similar formed route census
        current schools originally lake developed race himself forces addition information upon province match event
        songs result events win eastern track lead teams science human construction minister germany awards available
        throughout training style body museum australian health seven signed chief eventually appointed sea centre debut
        tour points media light range character across features families largest indian network less performance players
        refer europe sold festival usually taken despite designed committee process return official episode institute
        stage followed performed japanese personal thus arts space low months includes china study middle magazine
        leading japan groups aircraft featured federal civil rights model coach canadian books remained eight type
        independent completed capital academy instead kingdom organization countries studies competition sports size
        above section finished gold involved reported management systems industry directed market fourth movement
        technology bank ground campaign base lower sent rather added provided coast grand historic valley conference
        bridge winning approximately films chinese awarded degree russian shows native female replaced municipality
        square studio medical data african successful mid bay attack previous operations spanish theatre student
        republic beginning provide ship primary owned writing tournament culture introduced texas related natural parts
        governor reached ireland units senior decided italian whose higher africa standard income professor placed
        regional los buildings championships active novel energy generally interest via economic previously stated
        itself channel below operation leader traditional trade structure limited runs prior regular famous saint navy
        foreign listed artist catholic airport results parliament collection unit officer goal attended command staff
        commission lived location plays commercial places foundation significant older medal self scored companies
        highway activities programs wide musical notable library numerous paris towards individual allowed plant
        property annual contract whom highest initially required earlier assembly artists rural seat practice defeated
        ended soviet length spent manager press associated author issues additional characters lord zealand policy
        engine township noted historical complete financial religious mission contains nine recent represented
        pennsylvania administration opening secretary lines report executive youth closed theory writer italy angeles
        appearance feature queen launched legal terms entered issue edition singer greek majority background source anti
        cultural complex changes recording stadium islands operated particularly basketball month uses port castle
        mostly names fort selected increased status earth subsequently pacific cover variety certain goals remains upper
        congress becoming studied irish nature particular loss caused chart dr. forced create era retired material
        review rate singles referred larger individuals shown provides products speed democratic poland parish olympics
        cities themselves temple wing genus households serving cost wales stations passed supported view cases forms
        actor male matches males stars tracks females administrative median effect biography train engineering camp
        offered chairman houses mainly 19th surface therefore nearly score ancient subject prime seasons claimed
        experience specific jewish failed overall believed plot troops greater spain consists broadcast heavy increase
        raised separate campus 1980s appears presented lies composed recently influence fifth nations creek references
        elections britain double cast meaning earned carried producer latter housing brothers attempt article response
        border remaining nearby direct ships value workers politician academic label 1970s commander rule fellow
        residents authority editor transport dutch projects responsible covered territory flight races defense tower
        emperor albums facilities daily stories assistant managed primarily quality function proposed distribution
        conditions prize journal code vice newspaper corps highly constructed mayor critical secondary corporation rugby
        regiment ohio appearances serve allow nation multiple discovered directly scene levels growth elements acquired
        1990s officers physical 20th latin host jersey graduated arrived issued literature metal estate vote immediately
        quickly asian competed extended produce urban 1960s promoted contemporary global formerly appear industrial
        types opera ministry soldiers commonly mass formation smaller typically drama shortly density senate effects
        iran polish prominent naval settlement divided basis republican languages distance treatment continue product
        mile sources footballer format clubs leadership initial offers operating avenue officially columbia grade
        squadron fleet percent farm leaders agreement likely equipment website mount grew method transferred intended
        renamed iron asia reserve capacity politics widely activity advanced relations scottish dedicated crew founder
        episodes lack amount build efforts concept follows ordered leaves positive economy entertainment affairs
        memorial ability illinois communities color text railroad scientific focus comedy serves exchange environment
        cars direction organized firm description agency analysis purpose destroyed reception planned revealed infantry
        architecture growing featuring household candidate removed situated models knowledge solo technical
        organizations assigned conducted participated largely purchased register gained combined headquarters adopted
        potential protection scale approach spread independence mountains titled geography applied safety mixed accepted
        continues captured rail defeat principal recognized lieutenant mentioned semi owner joint liberal actress
        traffic creation basic notes unique supreme declared simply plants sales massachusetts designated parties jazz
        compared becomes resources titles concert learning remain teaching versions content alongside revolution sons
        block premier impact champions districts generation estimated volume image sites account roles sport quarter
        providing zone yard scoring classes presence performances representatives hosted split taught origin olympic
        claims critics facility occurred suffered municipal damage defined resulted respectively expanded platform draft
        opposition expected educational ontario climate reports atlantic surrounding performing reduced ranked allows
        birth nominated younger newly kong positions theater philadelphia heritage finals disease sixth laws reviews
        constitution tradition swedish theme fiction rome medicine trains resulting existing deputy environmental labour
        classical develop fans granted receive alternative begins nuclear fame buried connected identified palace falls
        letters combat sciences effort villages inspired regions towns conservative chosen animals labor attacks
        materials yards steel representative orchestra peak entitled officials returning reference northwest imperial
        convention examples ocean publication painting subsequent frequently religion brigade fully sides acts cemetery
        relatively oldest suggested succeeded achieved application programme cells votes promotion graduate armed supply
        flying communist figures literary netherlands korea worldwide citizens 1950s faculty draw stock seats occupied
        methods unknown articles claim holds authorities audience sweden interview obtained covers settled transfer
        marked allowing funding challenge southeast unlike crown rise portion transportation sector phase properties
        edge tropical standards institutions philosophy legislative hills brand fund conflict unable founding refused
        attempts metres permanent starring applications creating effective aired extensive employed enemy expansion
        billboard rank battalion multi vehicle fought alliance category perform federation poetry bronze bands entry
        vehicles bureau maximum billion trees intelligence greatest screen refers commissioned gallery injury confirmed
        setting treaty adult americans broadcasting supporting pilot mobile writers programming existence squad
        minnesota copies korean provincial sets defence offices agricultural internal core northeast retirement factory
        actions prevent communications ending weekly containing functions attempted interior weight bowl recognition
        incorporated increasing ultimately documentary derived attacked lyrics mexican external churches centuries
        metropolitan selling opposed personnel mill visited presidential roads pieces norwegian controlled 18th rear
        influenced wrestling weapons launch composer locations developing circuit specifically studios shared canal
        wisconsin publishing approved domestic consisted determined comic establishment exhibition southwest fuel
        electronic cape converted educated melbourne hits wins producing norway slightly occur surname identity
        represent constituency funds proved links structures athletic birds contest users poet institution display
        receiving rare contained guns motion piano temperature publications passenger contributed toward cathedral
        inhabitants architect exist athletics muslim courses abandoned signal successfully disambiguation tennessee
        dynasty heavily maryland jews representing budget weather missouri introduction faced pair chapel reform height
        vietnam occurs motor cambridge lands focused sought patients shape invasion chemical importance communication
        selection regarding homes voivodeship maintained borough failure aged passing agriculture oregon teachers flow
        philippines trail seventh portuguese resistance reaching negative fashion scheduled downtown universities
        trained skills scenes views notably typical incident candidates engines decades composition commune chain inc.
        austria sale values employees chamber regarded winners registered task investment colonial swiss user entirely
        flag stores closely entrance laid journalist coal equal causes turkish quebec techniques promote junction easily
        dates kentucky singapore residence violence advance survey humans expressed passes streets distinguished
        qualified folk establish egypt artillery visual improved actual finishing medium protein switzerland productions
        operate poverty neighborhood organisation consisting consecutive sections partnership extension reaction factor
        costs bodies device ethnic racial flat objects chapter improve musicians courts controversy membership merged
        wars expedition interests arab comics gain describes mining bachelor crisis joining decade 1930s distributed
        habitat routes arena cycle divisions briefly vocals directors degrees object recordings installed adjacent
        demand voted causing businesses ruled grounds starred drawn opposite stands formal operates persons counties
        compete wave israeli ncaa resigned brief greece combination demographics historian contain commonwealth musician
        collected argued louisiana session cabinet parliamentary electoral loan profit regularly conservation islamic
        purchase 17th charts residential earliest designs paintings survived moth items goods grey anniversary criticism
        images discovery observed underground progress additionally participate thousands reduce elementary owners
        stating iraq resolution capture tank rooms hollywood finance queensland reign maintain iowa landing broad
        outstanding circle path manufacturing assistance sequence gmina crossing leads universal shaped kings attached
        medieval ages metro colony affected scholars oklahoma coastal soundtrack painted attend definition meanwhile
        purposes trophy require marketing popularity cable mathematics mississippi represents scheme appeal distinct
        factors acid subjects roughly terminal economics senator diocese prix contrast argentina czech wings relief
        stages duties 16th novels accused whilst equivalent charged measure documents couples request danish defensive
        guide devices statistics credited tries passengers allied frame puerto peninsula concluded instruments wounded
        differences associate forests afterwards replace requirements aviation solution offensive ownership inner
        legislation hungarian contributions actors translated denmark steam depending aspects assumed injured severe
        admitted determine shore technique arrival measures translation debuted delivered returns rejected separated
        visitors damaged storage accompanied markets industries losses gulf charter strategy corporate socialist
        somewhat significantly physics mounted satellite experienced constant relative pattern restored belgium
        connecticut partners harvard retained networks protected mode artistic parallel collaboration debate involving
        journey linked salt authors components context occupation requires occasionally policies tamil ottoman
        revolutionary hungary poem versus gardens amongst audio makeup frequency meters orthodox continuing suggests
        legislature coalition guitarist eighth classification practices soil tokyo instance limit coverage considerable
        ranking colleges cavalry centers daughters twin equipped broadway narrow hosts rates domain boundary arranged
        12th whereas brazilian forming rating strategic competitions trading covering baltimore commissioner
        infrastructure origins replacement praised disc collections expression ukraine driven edited austrian solar
        ensure premiered successor wooden operational hispanic concerns rapid prisoners childhood meets influential
        tunnel employment tribe qualifying adapted temporary celebrated appearing increasingly depression adults cinema
        entering laboratory script flows romania accounts fictional pittsburgh achieve monastery franchise formally
        tools newspapers revival sponsored processes vienna springs missions classified 13th annually branches lakes
        gender manner advertising normally maintenance adding characteristics integrated decline modified strongly
        critic victims malaysia arkansas nazi restoration powered monument hundreds depth 15th controversial admiral
        criticized brick honorary initiative output visiting birmingham progressive existed carbon 1920s credits colour
        rising hence defeating superior filmed listing column surrounded orleans principles territories struck
        participation indonesia movements index commerce conduct constitutional spiritual ambassador vocal completion
        edinburgh residing tourism finland bears medals resident themes visible indigenous involvement basin electrical
        ukrainian concerts boats styles processing rival drawing vessels experimental declined touring supporters
        compilation coaching cited dated roots string explained transit traditionally poems minimum representation 14th
        releases effectively architectural triple indicated greatly elevation clinical printed 10th proposal peaked
        producers romanized rapidly stream innings meetings counter householder honour lasted agencies document exists
        surviving experiences honors landscape hurricane harbor panel competing profile vessel farmers lists revenue
        exception customers 11th participants wildlife utah bible gradually preserved replacing symphony begun longest
        siege provinces mechanical genre transmission agents executed videos benefits funded rated instrumental ninth
        similarly dominated destruction passage technologies thereafter outer facing affiliated opportunities instrument
        governments scholar evolution channels shares sessions widespread occasions engineers scientists signing battery
        competitive alleged eliminated supplies judges hampshire regime portrayed penalty taiwan denied submarine
        scholarship substantial transition victorian http nevertheless filed supports continental tribes ratio doubles
        useful honours blocks principle retail departure ranks patrol yorkshire vancouver inter extent afghanistan strip
        railways component organ symbol categories encouraged abroad civilian periods traveled writes struggle immediate
        recommended adaptation egyptian graduating assault drums nomination historically voting allies detailed
        achievement percentage arabic assist frequent toured apply and/or intersection maine touchdown throne produces
        contribution emerged obtain archbishop seek researchers remainder populations clan finnish overseas fifa
        licensed chemistry festivals mediterranean injuries animated seeking publisher volumes limits venue jerusalem
        generated trials islam youngest ruling glasgow germans songwriter persian municipalities donated viewed belgian
        cooperation posted tech dual volunteer settlers commanded claiming approval delhi usage terminus partly
        electricity locally editions premiere absence belief traditions statue indicate manor stable attributed
        possession managing viewers chile overview seed regulations essential minority cargo segment endemic forum
        deaths monthly playoffs erected practical machines suburb relation mrs. descent indoor continuous characterized
        solutions caribbean rebuilt serbian summary contested psychology pitch attending muhammad tenure drivers
        diameter assets venture punk airlines concentration athletes volunteers pages mines influences sculpture protest
        ferry behalf drafted apparent furthermore ranging romanian democracy lanka significance linear d.c. certified
        voters recovered tours demolished boundaries assisted identify grades elsewhere mechanism 1940s reportedly aimed
        conversion suspended photography departments beijing locomotives publicly dispute magazines resort conventional
        platforms internationally capita settlements dramatic derby establishing involves statistical implementation
        immigrants exposed diverse layer vast ceased connections belonged interstate uefa organised abuse deployed
        cattle partially filming mainstream reduction automatic rarely subsidiary decides merger comprehensive displayed
        amendment guinea exclusively manhattan concerning commons radical serbia baptist buses initiated portrait
        harbour choir citizen sole unsuccessful manufactured enforcement connecting increases patterns sacred muslims
        clothing hindu unincorporated sentenced advisory tanks campaigns fled repeated remote rebellion implemented
        texts fitted tribute writings sufficient ministers 21st devoted jurisdiction coaches interpretation pole
        businessman peru sporting prices cuba relocated opponent arrangement elite manufacturer responded suitable
        distinction calendar dominant tourist earning prefecture ties preparation anglo pursue worship archaeological
        chancellor bangladesh scores traded lowest horror outdoor biology commented specialized loop arriving farming
        housed historians 'the patent pupils christianity opponents athens northwestern maps promoting reveals flights
        exclusive lions norfolk hebrew extensively eldest shops acquisition virtual renowned margin ongoing essentially
        iranian alternate sailed reporting conclusion originated temperatures exposure secured landed rifle framework
        identical martial focuses topics ballet fighters belonging wealthy negotiations evolved bases oriented acres
        democrat heights restricted vary graduation aftermath chess illness participating vertical collective
        immigration demonstrated leaf completing organic missile leeds eligible grammar confederate improvement
        congressional wealth cincinnati spaces indicates corresponding reaches repair isolated taxes congregation
        ratings leagues diplomatic submitted winds awareness photographs maritime nigeria accessible animation
        restaurants philippine inaugural dismissed armenian illustrated reservoir speakers programmes resource genetic
        interviews camps regulation computers preferred travelled comparison distinctive recreation requested
        southeastern dependent brisbane breeding playoff expand bonus gauge departed qualification inspiration shipping
        slaves variations shield theories munich recognised emphasis favour variable seeds undergraduate territorial
        intellectual qualify mini banned pointed democrats assessment judicial examination attempting objective partial
        characteristic hardware pradesh execution ottawa metre drum exhibitions withdrew attendance phrase journalism
        logo measured error christians trio protestant theology respective atmosphere buddhist substitute curriculum
        fundamental outbreak rabbi intermediate designation globe liberation simultaneously diseases experiments
        locomotive difficulties mainland nepal relegated contributing database developments veteran carries ranges
        instruction lodge protests obama newcastle experiment physician describing challenges corruption delaware
        adventures ensemble succession renaissance tenth altitude receives approached crosses syria croatia warsaw
        professionals improvements worn airline compound permitted preservation reducing printing scientist activist
        comprises sized societies enters ruler gospel earthquake extend autonomous croatian serial decorated relevant
        ideal grows grass tier towers wider welfare columns alumni descendants interface reserves banking colonies
        manufacturers magnetic closure pitched vocalist preserve enrolled cancelled equation 2000s nickname bulgaria
        heroes exile mathematical demands input structural tube stem approaches argentine axis manuscript inherited
        depicted targets visits veterans regard removal efficiency organisations concepts lebanon manga petersburg rally
        supplied amounts yale tournaments broadcasts signals pilots azerbaijan architects enzyme literacy declaration
        placing batting incumbent bulgarian consistent poll defended landmark southwestern raid resignation travels
        casualties prestigious namely aims recipient warfare readers collapse coached controls volleyball coup lesser
        verse pairs exhibited proteins molecular abilities integration consist aspect advocate administered governing
        hospitals commenced coins lords variation resumed canton artificial elevated palm difficulty civic efficient
        northeastern inducted radiation affiliate boards stakes byzantine consumption freight interaction oblast
        numbered seminary contracts extinct predecessor bearing cultures functional neighboring revised cylinder grants
        narrative reforms athlete tales reflect presidency compositions specialist cricketer founders sequel widow
        disbanded associations backed thereby pitcher commanding boulevard singers crops militia reviewed centres waves
        consequently fortress tributary portions bombing excellence nest payment mars plaza unity victories scotia farms
        nominations variant attacking suspension installation graphics estates comments acoustic destination venues
        surrender retreat libraries quarterback customs berkeley collaborated gathered syndrome dialogue recruited
        shanghai neighbouring psychological saudi moderate exhibit innovation depot binding brunswick situations
        certificate actively shakespeare editorial presentation ports relay nationalist methodist archives experts
        maintains collegiate bishops maintaining temporarily embassy essex wellington connects reformed bengal recalled
        inches doctrine deemed legendary reconstruction statements palestinian meter achievements riders interchange
        spots auto accurate chorus dissolved missionary thai operators e.g. generations failing delayed cork nashville
        perceived venezuela cult emerging tomb abolished documented gaining canyon episcopal stored assists compiled
        kerala kilometers mosque grammy theorem unions segments glacier arrives theatrical circulation conferences
        chapters displays circular authored conductor fewer dimensional nationwide liga yugoslavia peer vietnamese
        fellowship armies regardless relating dynamic politicians mixture serie somerset imprisoned posts beliefs beta
        layout independently electronics provisions fastest logic headquartered creates challenged beaten appeals plains
        protocol graphic accommodate iraqi midfielder span commentary freestyle reflected palestine lighting burial
        virtually backing prague tribal heir identification prototype criteria dame arch tissue footage extending
        procedures predominantly updated rhythm preliminary cafe disorder prevented suburbs discontinued retiring oral
        followers extends massacre journalists conquest larvae pronounced behaviour diversity sustained addressed
        geographic restrictions voiced milwaukee dialect quoted grid nationally nearest roster twentieth separation
        indies manages citing intervention guidance severely migration artwork focusing rivals trustees varied enabled
        committees centered skating slavery cardinals forcing tasks auckland youtube argues colored advisor mumbai
        requiring theological registration refugees nineteenth survivors runners colleagues priests contribute variants
        workshop concentrated creator lectures temples exploration requirement interactive navigation companion perth
        allegedly releasing citizenship observation stationed ph.d. sheep breed discovers encourage kilometres journals
        performers isle saskatchewan hybrid hotels lancashire dubbed airfield anchor suburban theoretical sussex
        anglican stockholm permanently upcoming privately receiver optical highways congo colours aggregate authorized
        repeatedly varies fluid innovative transformed praise convoy demanded discography attraction export audiences
        ordained enlisted occasional westminster syrian heavyweight bosnia consultant eventual improving aires wickets
        epic reactions scandal i.e. discrimination buenos patron investors conjunction testament construct encountered
        celebrity expanding georgian brands retain underwent algorithm foods provision orbit transformation associates
        tactical compact varieties stability refuge gathering moreover manila configuration gameplay discipline entity
        comprising composers skill monitoring ruins museums sustainable aerial altered codes voyage friedrich conflicts
        storyline travelling conducting merit indicating referendum currency encounter particles automobile workshops
        acclaimed inhabited doctorate cuban phenomenon dome enrollment tobacco governance trend equally manufacture
        hydrogen grande compensation download pianist grain shifted neutral evaluation define cycling seized array
        relatives motors firms varying automatically restore nicknamed findings governed investigate manitoba
        administrator vital integral indonesian confusion publishers enable geographical inland naming civilians
        reconnaissance indianapolis lecturer deer tourists exterior rhode bassist symbols scope ammunition yuan poets
        punjab nursing cent developers estimates presbyterian nasa holdings generate renewed computing cyprus arabia
        duration compounds gastropod permit valid touchdowns facade interactions mineral practiced allegations
        consequence goalkeeper baronet copyright uprising carved targeted competitors mentions sanctuary fees pursued
        tampa chronicle capabilities specified specimens toll accounting limestone staged upgraded philosophical streams
        guild revolt rainfall supporter princeton terrain hometown probability assembled paulo surrey voltage developer
        destroyer floors lineup curve prevention potentially onwards trips imposed hosting striking strict admission
        apartments solely utility proceeded observations euro incidents vinyl profession haven distant expelled rivalry
        runway torpedo zones shrine dimensions investigations lithuania idaho pursuit copenhagen considerably locality
        wireless decrease genes thermal deposits hindi habitats withdrawn biblical monuments casting plateau thesis
        managers flooding assassination acknowledged interim inscription guided pastor finale insects transported
        activists marshal intensity airing cardiff proposals lifestyle prey herald capitol aboriginal measuring lasting
        interpreted occurring desired drawings healthcare panels elimination oslo ghana blog sabha intent superintendent
        governors bankruptcy p.m. equity disk layers slovenia prussia quartet mechanics graduates politically monks
        screenplay nato absorbed topped petition bold morocco exhibits canterbury publish rankings crater dominican
        enhanced planes lutheran governmental joins collecting brussels unified streak strategies flagship surfaces oval
        archive etymology imprisonment instructor noting remix opposing servant rotation width trans maker synthesis
        excess tactics snail ltd. lighthouse sequences cornwall plantation mythology performs foundations populated
        horizontal speedway activated performer diving conceived edmonton subtropical environments prompted semifinals
        caps bulk treasury recreational telegraph continent portraits relegation catholics graph velocity rulers
        endangered secular observer learns inquiry idol dictionary certification estimate cluster armenia observatory
        revived nadu consumers hypothesis manuscripts contents arguments editing trails arctic essays belfast acquire
        promotional undertaken corridor proceedings antarctic millennium labels delegates vegetation acclaim directing
        substance outcome diploma philosopher malta albanian vicinity degc legends regiments consent terrorist scattered
        presidents gravity orientation deployment duchy refuses estonia crowned separately renovation rises wilderness
        objectives agreements empress slopes inclusion equality decree ballot criticised rochester recurring struggled
        disabled henri poles prussian convert bacteria poorly sudan geological wyoming consistently minimal withdrawal
        interviewed proximity repairs initiatives pakistani republicans propaganda viii abstract commercially
        availability mechanisms naples discussions underlying lens proclaimed advised spelling auxiliary attract
        lithuanian editors o'brien accordance measurement novelist ussr formats councils contestants indie facebook
        parishes barrier battalions sponsor consulting terrorism implement uganda crucial unclear notion distinguish
        collector attractions filipino ecology investments capability renovated iceland albania accredited scouts armor
        sculptor cognitive errors gaming condemned successive consolidated baroque entries regulatory reserved treasurer
        variables arose technological rounded provider rhine agrees accuracy genera decreased frankfurt ecuador edges
        particle rendered calculated careers faction rifles americas gaelic portsmouth resides merchants fiscal premises
        coin draws presenter acceptance ceremonies pollution consensus membrane brigadier nonetheless genres supervision
        predicted magnitude finite differ ancestry vale delegation removing proceeds placement emigrated siblings
        molecules payments considers demonstration proportion newer valve achieving confederation continuously luxury
        notre introducing coordinates charitable squadrons disorders geometry winnipeg ulster loans longtime receptor
        preceding belgrade mandate wrestler neighbourhood factories buddhism imported sectors protagonist steep
        elaborate prohibited artifacts prizes pupil cooperative sovereign subspecies carriers allmusic nationals
        settings autobiography neighborhoods analog facilitate voluntary jointly newfoundland organizing raids exercises
        nobel machinery baltic crop granite dense websites mandatory seeks surrendered anthology comedian bombs slot
        synopsis critically arcade marking equations halls indo inaugurated embarked speeds clause invention premiership
        likewise presenting demonstrate designers organize examined km/h bavaria troop referee detection zurich prairie
        rapper wingspan eurovision luxembourg slovakia inception disputed mammals entrepreneur makers evangelical yield
        clergy trademark defunct allocated depicting volcanic batted conquered sculptures providers reflects armoured
        locals walt herzegovina contracted entities sponsorship prominence flowing ethiopia marketed corporations
        withdraw carnegie induced investigated portfolio flowering opinions viewing classroom donations bounded
        perception leicester fruits charleston academics statute complaints smallest deceased petroleum resolved
        commanders algebra southampton modes cultivation transmitter spelled obtaining sizes acre pageant bats
        abbreviated correspondence barracks feast tackles raja derives geology disputes translations counted
        constantinople seating macedonia preventing accommodation homeland explored invaded provisional transform sphere
        unsuccessfully missionaries conservatives highlights traces organisms openly dancers fossils absent monarchy
        combining lanes stint dynamics chains missiles screening module tribune generating miners nottingham seoul
        unofficial owing linking rehabilitation citation louisville mollusk depicts differential zimbabwe kosovo
        recommendations responses pottery scorer aided exceptions dialects telecommunications defines elderly lunar
        coupled flown 25th espn formula_1 bordered fragments guidelines gymnasium valued complexity papal presumably
        maternal challenging reunited advancing comprised uncertain favorable twelfth correspondent nobility livestock
        expressway chilean tide researcher emissions profits lengths accompanying witnessed itunes drainage slope
        reinforced feminist sanskrit develops physicians outlets isbn coordinator averaged termed occupy diagnosed
        yearly humanitarian prospect spacecraft stems enacted linux ancestors karnataka constitute immigrant thriller
        ecclesiastical generals celebrations enhance heating advocated evident advances bombardment watershed shuttle
        wicket twitter adds branded teaches schemes pension advocacy conservatory cairo varsity freshwater providence
        seemingly shells cuisine specially peaks intensive publishes trilogy skilled nacional unemployment destinations
        parameters verses trafficking determination infinite savings alignment linguistic countryside dissolution
        measurements advantages licence subfamily highlands modest regent algeria crest teachings knockout brewery
        combine conventions descended chassis primitive fiji explicitly cumberland uruguay laboratories bypass elect
        informal preceded holocaust tackle minneapolis quantity securities console doctoral religions commissioners
        expertise unveiled precise diplomat standings infant disciplines sicily endorsed systematic charted armored mild
        lateral townships hurling prolific invested wartime compatible galleries moist battlefield decoration convent
        tubes terrestrial nominee requests delegate leased dubai polar applying addresses munster sings commercials
        teamed dances eleventh midland cedar flee sandstone snails inspection divide asset themed comparable paramount
        dairy archaeology intact institutes rectangular instances phases reflecting substantially applies vacant lacked
        copa coloured encounters sponsors encoded possess revenues ucla chaired a.m. enabling playwright stoke sociology
        tibetan frames motto financing illustrations gibraltar chateau bolivia transmitted enclosed persuaded urged
        folded suffolk regulated bros. submarines myth oriental malaysian effectiveness narrowly acute sunk replied
        utilized tasmania consortium quantities gains parkway enlarged sided employers adequate accordingly assumption
        ballad mascot distances peaking saxony projected affiliation limitations metals guatemala scots theaters
        kindergarten verb employer differs discharge controller seasonal marching guru campuses avoided vatican maori
        excessive chartered modifications caves monetary sacramento mixing institutional celebrities irrigation shapes
        broadcaster anthem attributes demolition offshore specification surveys yugoslav contributor auditorium lebanese
        capturing airports classrooms chennai paths tendency determining lacking upgrade sailors detected kingdoms
        sovereignty freely decorative momentum scholarly georges gandhi speculation transactions undertook interact
        similarities cove teammate constituted painters tends madagascar partnerships afghan personalities attained
        rebounds masses synagogue reopened asylum embedded imaging catalogue defenders taxonomy fiber afterward appealed
        communists lisbon rica judaism adviser batsman ecological commands lgbt cooling accessed wards shiva employs
        thirds scenic worcester tallest contestant humanities economist textile constituencies motorway tram percussion
        cloth leisure 1880s baden flags resemble riots coined sitcom composite implies daytime tanzania penalties
        optional competitor excluded steering reversed autonomy reviewer breakthrough professionally damages pomeranian
        deputies valleys ventures highlighted electorate mapping shortened executives tertiary specimen launching
        bibliography sank pursuing binary descendant marched natives ideology turks adolf archdiocese tribunal
        exceptional nigerian preference fails loading comeback vacuum favored alter remnants consecrated spectators
        trends patriarch feedback paved sentences councillor astronomy advocates broader commentator commissions
        identifying revealing theatres incomplete enables constituent reformation tract haiti atmospheric screened
        explosive czechoslovakia acids symbolic subdivision liberals incorporate challenger erie filmmaker laps
        kazakhstan organizational evolutionary chemicals dedication riverside fauna moths maharashtra annexed gen.
        resembles underwater garnered timeline remake suited educator hectares automotive feared latvia finalist
        narrator portable airways plaque designing villagers licensing flank statues struggles deutsche migrated
        cellular jacksonville wimbledon defining highlight preparatory planets cologne employ frequencies detachment
        readily libya resign halt helicopters reef landmarks collaborative irregular retaining helsinki folklore
        weakened viscount interred professors memorable mega repertoire rowing dorsal albeit progressed operative
        coronation liner telugu domains philharmonic detect bengali synthetic tensions atlas dramatically paralympics
        xbox shire kiev lengthy sued notorious seas screenwriter transfers aquatic pioneers unesco radius abundant
        tunnels syndicated inventor accreditation janeiro exeter ceremonial omaha cadet predators resided prose slavic
        precision abbot deity engaging cambodia estonian compliance demonstrations protesters reactor commodore
        successes chronicles mare extant listings minerals tonnes parody cultivated traders pioneering supplement slovak
        preparations collision partnered vocational atoms malayalam welcomed documentation curved functioning presently
        formations incorporates nazis botanical nucleus ethical greeks metric automated whereby stance europeans duet
        disability purchasing email telescope displaced sodium comparative processor inning precipitation aesthetic
        import coordination feud alternatively mobility tibet regained succeeding hierarchy apostolic catalog
        reproduction inscriptions vicar clusters posthumously rican loosely additions photographic nowadays selective
        derivative keyboards guides collectively affecting combines operas networking decisive terminated continuity
        finishes ancestor consul heated simulation leipzig incorporating georgetown formula_2 circa forestry portrayal
        councillors advancement complained forewings confined transaction definitions reduces televised 1890s rapids
        phenomena belarus alps landscapes quarterly specifications commemorate continuation isolation antenna downstream
        patents ensuing tended saga lifelong columnist labeled gymnastics papua anticipated demise encompasses madras
        antarctica interval icon rams midlands ingredients priory strengthen rouge explicit gaza aging securing
        anthropology listeners adaptations underway vista malay fortified lightweight violations concerto financed
        jesuit observers trustee descriptions nordic resistant opted accepts prohibition andhra inflation negro wholly
        imagery spur instructed gloucester cycles middlesex destroyers statewide evacuated hyderabad peasants mice
        shipyard coordinate pitching colombian exploring numbering compression countess hiatus exceed raced archipelago
        traits soils o'connor vowel android facto angola amino holders logistics circuits emergence kuwait partition
        emeritus outcomes submission promotes barack negotiated loaned stripped 50th excavations treatments fierce
        participant exports decommissioned cameo remarked residences fuselage mound undergo quarry node midwest
        specializing occupies etc. showcase molecule offs modules salon exposition revision peers positioned hunters
        competes algorithms reside zagreb calcium uranium silicon airs counterpart outlet collectors sufficiently
        canberra inmates anatomy ensuring curves aviv firearms basque volcano thrust sheikh extensions installations
        aluminum darker sacked emphasized aligned asserted pseudonym spanning decorations eighteenth orbital spatial
        subdivided notation decay macedonian amended declining cyclist feat unusually commuter birthplace latitude
        activation overhead 30th finalists whites encyclopedia tenor qatar survives complement concentrations uncommon
        astronomical bangalore pius genome memoir recruit prosecutor modification paired container basilica arlington
        displacement germanic mongolia proportional debates matched calcutta rows tehran aerospace prevalent arise
        lowland 24th spokesman supervised advertisements clash tunes revelation wanderers quarterfinals fisheries
        steadily memoirs pastoral renewable confluence acquiring strips slogan upstream scouting analyst practitioners
        turbine strengthened heavier prehistoric plural excluding isles persecution turin rotating villain hemisphere
        unaware arabs corpus relied singular unanimous schooling passive angles dominance instituted aria outskirts
        balanced beginnings financially structured parachute viewer attitudes subjected escapes derbyshire erosion
        addressing styled declaring originating colts adjusted stained occurrence fortifications baghdad nitrogen
        localities yemen galway debris lodz victorious pharmaceutical substances unnamed dwelling atop developmental
        activism voter refugee forested relates overlooking genocide kannada insufficient oversaw partisan dioxide
        recipients factions mortality capped expeditions receptors reorganized prominently atom flooded flute orchestral
        scripts mathematician airplay detached rebuilding dwarf brotherhood salvation expressions arabian cameroon
        poetic recruiting bundesliga inserted scrapped disabilities evacuation pasha undefeated crafts rituals aluminium
        norm pools submerged occupying pathway exams prosperity wrestlers promotions basal permits nationalism trim
        merge gazette tributaries transcription caste porto emerge modeled adjoining counterparts paraguay redevelopment
        renewal unreleased equilibrium similarity minorities soviets comprise nodes tasked unrelated expired johan
        precursor examinations electrons socialism exiled admiralty floods wigan nonprofit lacks brigades screens
        repaired hanover fascist labs osaka delays judged statutory colt col. offspring solving bred assisting retains
        somalia grouped corresponds tunisia chaplain eminent chord 22nd spans viral innovations possessions mikhail
        kolkata icelandic implications introduces racism workforce alto compulsory admits censorship onset reluctant
        inferior iconic progression liability turnout satellites behavioral coordinated exploitation posterior averaging
        fringe krakow mountainous greenwich para plantations reinforcements offerings famed intervals constraints
        individually nutrition 1870s taxation threshold tomatoes fungi contractor ethiopian apprentice diabetes wool
        gujarat honduras norse bucharest 23rd arguably accompany prone teammates perennial vacancy polytechnic deficit
        okinawa functionality reminiscent tolerance transferring myanmar concludes neighbours hydraulic economically
        slower plots charities synod investor catholicism identifies bronx interpretations adverse judiciary hereditary
        nominal sensor symmetry cubic triangular tenants divisional outreach representations passages undergoing
        cartridge testified exceeded impacts limiting railroads defeats regain rendering humid retreated reliability
        governorate antwerp infamous implied packaging lahore trades billed extinction ecole rejoined recognizes
        projection qualifications stripes forts socially lexington accurately sexuality westward wikipedia pilgrimage
        abolition choral stuttgart nests expressing strikeouts assessed monasteries reconstructed humorous marxist
        fertile consort urdu patronage peruvian devised lyric baba nassau communism extraction popularly markings
        inability litigation accounted processed emirates tempo cadets eponymous contests broadly oxide courtyard
        frigate directory apex outline regency chiefly patrols secretariat cliffs residency privy armament australians
        dorset geometric genetics scholarships fundraising flats demographic multimedia captained documentaries updates
        canvas blockade guerrilla songwriting administrators intake drought implementing fraction cannes refusal
        inscribed meditation announcing exported ballots formula_3 curator basel arches flour subordinate confrontation
        gravel simplified berkshire patriotic tuition employing servers castile posting combinations discharged
        miniature mutations constellation incarnation ideals necessity granting ancestral crowds pioneered mormon
        methodology rama indirect complexes bavarian patrons uttar skeleton bollywood flemish viable bloc breeds
        triggered sustainability tailed referenced comply takeover latvian homestead platoon communal nationality
        excavated targeting sundays posed physicist turret endowment marginal dispatched commentators renovations
        attachment collaborations ridges barriers obligations shareholders prof. defenses presided rite backgrounds
        arbitrary affordable gloucestershire thirteenth inlet miniseries possesses detained pressures subscription
        realism solidarity proto postgraduate noun burmese abundance homage reasoning anterior robust fencing shifting
        vowels garde profitable loch anchored coastline samoa terminology prostitution magistrate venezuelan speculated
        regulate fixture colonists digit induction manned expeditionary computational centennial principally vein
        preserving engineered numerical cancellation conferred continually borne seeded advertisement unanimously
        treaties infections ions sensors lowered amphibious lava fourteenth bahrain niagara nicaragua squares
        congregations 26th periodic proprietary 1860s contributors seller overs emission procession presumed illustrator
        zinc gases tens applicable stretches reproductive sixteenth apparatus accomplishments canoe guam oppose
        recruitment accumulated limerick namibia staging remixes ordnance uncertainty pedestrian temperate treason
        deposited registry cerambycidae attracting lankan reprinted shipbuilding homosexuality neurons eliminating 1900s
        resume ministries beneficial blackpool surplus northampton licenses constructing announcer standardized
        alternatives taipei inadequate failures yields medalist titular obsolete torah burlington predecessors lublin
        retailers castles depiction issuing gubernatorial propulsion tiles damascus discs alternating pomerania peasant
        tavern redesignated 27th illustration focal mans codex specialists productivity antiquity controversies promoter
        pits companions behaviors lyrical prestige creativity swansea dramas approximate feudal tissues crude campaigned
        unprecedented chancel amendments surroundings allegiance exchanges align firmly optimal commenting reigning
        landings obscure 1850s contemporaries paternal devi endurance communes incorporation denominations exchanged
        routing resorts amnesty slender explores suppression heats pronunciation centred coupe stirling freelance
        treatise linguistics laos informs discovering pillars encourages halted robots definitive maturity tuberculosis
        venetian silesian unchanged originates mali lincolnshire quotes seniors premise contingent distribute danube
        gorge logging dams curling seventeenth specializes wetlands deities assess thickness rigid culminated utilities
        substrate insignia nile assam shri currents suffrage canadians mortar asteroid bosnian discoveries enzymes
        sanctioned replica hymn investigators tidal dominate derivatives converting leinster verbs honoured criticisms
        dismissal discrete masculine reorganization unlimited wurttemberg sacks allocation bahn jurisdictions
        participates lagoon famine communion culminating surveyed shortage cables intersects cassette foremost adopting
        solicitor outright bihar reissued farmland dissertation turnpike baton photographed christchurch kyoto finances
        rails histories linebacker kilkenny accelerated dispersed handicap absorption rancho ceramic captivity cites
        font weighed mater utilize bravery extract validity slovenian seminars discourse ranged duel ironically warships
        sega temporal surpassed prolonged recruits northumberland greenland contributes patented eligibility unification
        discusses reply translates beirut relies torque northward reviewers monastic accession neural tramway heirs sikh
        subscribers amenities taliban audit rotterdam wagons kurdish favoured combustion meanings persia browser
        diagnostic niger formula_4 denomination dividing parameter branding badminton leningrad sparked hurricanes
        beetles propeller mozambique refined diagram exhaust vacated readings markers reconciliation determines
        concurrent imprint primera organism demonstrating filmmakers vanderbilt affiliates traction evaluated defendants
        megachile investigative zambia assassinated rewarded probable staffordshire foreigners directorate nominees
        consolidation commandant reddish differing unrest drilling bohemia resembling instrumentation considerations
        haute promptly variously dwellings clans tablet enforced cockpit semifinal hussein prisons ceylon emblem
        monumental phrases correspond crossover outlined characterised acceleration caucus crusade protested composing
        rajasthan habsburg rhythmic interception inherent cooled ponds spokesperson gradual consultation kuala globally
        suppressed builders avengers suffix integer enforce fibers unionist proclamation uncovered infrared adapt
        eisenhower utilizing captains stretched observing assumes prevents analyses saxophone caucasus notices villains
        dartmouth mongol hostilities stretching veterinary lenses texture prompting overthrow excavation islanders
        masovian battleship biographer replay degradation departing luftwaffe fleeing oversight immigrated serbs
        fishermen strengthening respiratory italians denotes radial escorted motif wiltshire expresses accessories
        reverted establishments inequality protocols charting famously satirical entirety trench friction atletico
        sampling subset weekday upheld sharply correlation incorrect mughal travelers hasan earnings offset evaluate
        specialised recognizing flexibility nagar postseason algebraic capitalism crystals melodies polynomial
        racecourse defences austro wembley attracts anarchist resurrection reviewing decreasing prefix ratified mutation
        displaying separating restoring assemblies ordinance priesthood cruisers appoint moldova imports directive
        epidemic militant senegal signaling restriction critique retrospective nationalists undertake sioux canals
        algerian redesigned philanthropist depict conceptual turbines intellectuals eastward applicants contractors
        vendors undergone namesake ensured tones substituted hindwings arrests tombs transitional principality
        reelection taiwanese cavity manifesto broadcasters spawned thoroughbred identities generators proposes
        hydroelectric johannesburg cortex scandinavian killings aggression boycott catalyst physiology fifteenth
        waterfront chromosome organist costly calculation cemeteries flourished recognise juniors merging disciples
        ashore workplace enlightenment diminished debated hailed podium educate mandated distributor litre
        electromagnetic flotilla estuary peterborough staircase selections melodic confronts wholesale integrate
        intercepted catalonia unite immense palatinate switches earthquakes occupational successors praising concluding
        faculties firstly overhaul empirical metacritic inauguration evergreen laden winged philosophers amalgamated
        geoff centimeters napoleonic upright planting brewing fined sensory migrants wherein inactive headmaster
        warwickshire siberia terminals denounced academia divinity bilateral clive omitted peerage relics apartheid
        syndicate fearing fixtures desirable dismantled ethnicity valves biodiversity aquarium ideological visibility
        creators analyzed tenant balkan postwar supplier smithsonian risen morphology digits bohemian wilmington vishnu
        demonstrates aforementioned biographical mapped khorasan phosphate presentations ecosystem processors
        calculations mosaic clashes penned recalls coding angular lattice macau accountability extracted pollen
        therapeutic overlap violinist deposed candidacy infants covenant bacterial restructuring dungeons ordination
        conducts builds invasive customary concurrently relocation cello statutes borneo entrepreneurs sanctions packet
        rockefeller piedmont comparisons waterfall receptions glacial surge signatures alterations advertised enduring
        somali botanist 100th canonical motifs longitude circulated alloy indirectly margins preserves internally
        besieged shale peripheral drained baseman reassigned tobago soloist socio grazing contexts roofs portraying
        ottomans shrewsbury noteworthy lamps supplying beams qualifier portray greenhouse stronghold hitter rites
        cretaceous urging derive nautical aiming fortunes verde donors reliance exceeding exclusion exercised
        simultaneous continents guiding pillar gradient poznan eruption clinics moroccan indicator trams piers parallels
        fragment teatro potassium satire compressed businessmen influx seine perspectives shelters decreases mounting
        formula_5 confederacy equestrian expulsion mayors liberia resisted affinity shrub unexpectedly stimulus amtrak
        deported perpendicular statesman wharf storylines romanesque weights surfaced interceptions dhaka crambidae
        orchestras rwanda conclude constitutes subsidiaries admissions prospective shear bilingual campaigning presiding
        domination commemorative trailing confiscated petrol acquisitions polymer onlyinclude chloride elevations
        resolutions hurdles pledged likelihood objected erect encoding databases aristotle hindus marshes bowled
        ministerial grange acronym annexation squads ambient pilgrims botany sofla astronomer planetary descending
        bestowed ceramics diplomacy metabolism colonization potomac africans engraved recycling commitments resonance
        disciplinary jamaican narrated spectral tipperary waterford stationary arbitration transparency threatens
        crossroads slalom oversee centenary incidence economies livery moisture newsletter autobiographical bhutan
        propelled dependence moderately adobe barrels subdivisions outlook labelled stratford arising diaspora barony
        automobiles ornamental slated norms primetime generalized analysts vectors libyan yielded certificates rooted
        vernacular belarusian marketplace prediction fairfax malawi viruses wooded demos mauritius prosperous coincided
        liberties huddersfield ascent warnings hinduism glucose pulitzer unused filters illegitimate acquitted
        protestants canopy staple psychedelic winding abbas pathways cheltenham lagos niche invaders proponents barred
        conversely doncaster recession embraced rematch concession emigration upgrades bowls tablets remixed loops
        kensington shootout monarchs organizers harmful punjabi broadband exempt neolithic profiles portrays parma
        cyrillic quasi attested regimental revive torpedoes heidelberg rhythms spherical denote hymns icons theologian
        qaeda exceptionally reinstated comune playhouse lobbying grossing viceroy delivers visually armistice utrecht
        syllable vertices analogous annex refurbished entrants knighted disciple rhetoric detailing inactivated ballads
        algae intensified favourable sanitation receivers pornography commemorated cannons entrusted manifold
        photographers pueblo textiles steamer myths marquess onward liturgical romney uzbekistan consistency denoted
        hertfordshire convex hearings sulfur universidad podcast selecting emperors arises justices 1840s mongolian
        exploited termination digitally infectious sedan symmetric penal illustrate formulation attribute problematic
        modular inverse berth searches rutgers leicestershire enthusiasts lockheed upwards transverse accolades backward
        archaeologists crusaders nuremberg defects ferries vogue containers openings transporting separates lumpur
        purchases attain wichita topology woodlands deleted periodically syntax overturned musicals corp. strasbourg
        instability nationale prevailing cache marathi versailles unmarried grains straits antagonist segregation
        assistants d'etat contention dictatorship unpopular motorcycles criterion analytical salzburg militants hanged
        worcestershire emphasize paralympic erupted convinces offences oxidation nouns populace atari spanned hazardous
        educators playable births baha'i preseason generates invites meteorological handbook foothills enclosure
        diffusion mirza convergence geelong coefficient connector formula_6 cylindrical disasters pleaded knoxville
        contamination compose libertarian arrondissement franciscan intercontinental susceptible initiation malaria
        unbeaten consonants waived saloon popularized estadio pseudo interdisciplinary transports transformers carriages
        bombings revolves ceded collaborator celestial exemption colchester maltese oceanic ligue crete shareholder
        routed depictions ridden advisors calculate lending guangzhou simplicity newscast scheduling snout eliot
        undertaking armenians nottinghamshire whitish consulted deficiency salle cinemas superseded rigorous kerman
        convened landowners modernization evenings pitches conditional scandinavia differed formulated cyclists swami
        guyana dunes electrified appalachian abdomen scenarios prototypes sindh consonant adaptive boroughs
        wolverhampton modelling cylinders amounted minimize ambassadors lenin settler coincide approximation grouping
        murals bullying registers rumours engagements energetic vertex annals bordering geologic yellowish runoff
        converts allegheny facilitated saturdays colliery monitored rainforest interfaces geographically impaired
        prevalence joachim paperback slowed shankar distinguishing seminal categorized authorised auspices bandwidth
        asserts rebranded balkans supplemented seldom weaving capsule apostles populous monmouth payload symphonic
        densely shoreline managerial masonry antioch averages textbooks royalist coliseum tandem brewers diocesan
        posthumous walled incorrectly distributions ensued reasonably graffiti propagation automation harmonic augmented
        middleweight limbs elongated landfall comparatively literal grossed koppen wavelength 1830s cerebral boasts
        congestion physiological practitioner coasts cartoonist undisclosed frontal launches burgundy qualifiers
        imposing stade flanked assyrian raided multiplayer montane chesapeake pathology drains vineyards intercollegiate
        semiconductor grassland convey citations predominant rejects benefited yahoo graphs busiest encompassing hamlets
        explorers suppress minors graphical calculus sediment intends diverted mainline unopposed cottages initiate
        alumnus towed autism forums darlington modernist oxfordshire lectured capitalist suppliers panchayat actresses
        foundry southbound commodity wesleyan divides palestinians luton caretaker nobleman mutiny organizer preferences
        nomenclature splits unwilling offenders timor relying halftime semitic arithmetic milestone jesuits arctiidae
        retrieved consuming contender edged plagued inclusive transforming khmer federally insurgents distributing
        amherst rendition prosecutors viaduct disqualified kabul liturgy prevailed reelected instructors swimmers
        aperture churchyard interventions totals darts metropolis fuels fluent northbound correctional inflicted
        barrister realms culturally aristocratic collaborating emphasizes choreographer inputs ensembles humboldt
        practised endowed strains infringement archaeologist congregational magna relativity efficiently proliferation
        mixtape abruptly regeneration commissioning yukon archaic reluctantly retailer northamptonshire universally
        crossings boilers nickelodeon revue abbreviation retaliation scripture routinely medicinal benedictine kenyan
        retention deteriorated glaciers apprenticeship coupling researched topography entrances anaheim pivotal
        compensate arched modify reinforce dusseldorf journeys motorsport conceded sumatra spaniards quantitative loire
        cinematography discarded botswana morale engined zionist philanthropy sainte fatalities cypriot motorsports
        indicators pricing institut bethlehem implicated gravitational differentiation rotor thriving precedent
        ambiguous concessions forecast conserved fremantle asphalt landslide middlesbrough formula_7 humidity overseeing
        chronological diaries multinational crimean turnover improvised youths declares tasmanian canadiens fumble
        refinery weekdays unconstitutional upward guardians brownish imminent hamas endorsement naturalist martyrs
        caledonia chords yeshiva reptiles severity mitsubishi fairs installment substitution repertory keyboardist
        interpreter silesia noticeable rhineland transmit inconsistent booklet academies epithet pertaining
        progressively aquatics scrutiny prefect toxicity rugged consume o'donnell evolve uniquely cabaret mediated
        landowner transgender palazzo compilations albuquerque induce sinai remastered efficacy underside analogue
        specify possessing advocating compatibility liberated greenville mecklenburg header memorials sewage rhodesia
        1800s salaries atoll coordinating partisans repealed amidst subjective optimization nectar evolving exploits
        madhya styling accumulation raion postage responds buccaneers frontman brunei choreography coated kinetic
        sampled inflammatory complementary eclectic norte vijay a.k.a mainz casualty connectivity laureate franchises
        yiddish reputed unpublished economical periodicals vertically bicycles brethren capacities unitary archeological
        tehsil domesday wehrmacht justification angered mysore fielded abuses nutrients ambitions taluk battleships
        symbolism superiority neglect attendees commentaries collaborators predictions yorker breeders investing
        libretto informally coefficients memorandum pounder collingwood tightly envisioned arbor mistakenly captures
        nesting conflicting enhancing streetcar manufactures buckinghamshire rewards commemorating stony expenditure
        tornadoes semantic relocate weimar iberian sighted intending ensign beverages expectation differentiate centro
        utilizes saxophonist catchment transylvania ecosystems shortest sediments socialists ineffective kapoor
        formidable heroine guantanamo prepares scattering pamphlet verified elector barons totaling shrubs pyrenees
        amalgamation mutually longitudinal comte negatively masonic envoy sexes akbar mythical tonga bishopric
        assessments malaya warns interiors reefs reflections neutrality musically nomadic waterways provence collaborate
        scaled adulthood emerges euros optics incentives overland periodical liege awarding realization slang affirmed
        schooner hokkaido czechoslovak protectorate undrafted disagreed commencement electors spruce swindon fueled
        equatorial inventions suites slovene backdrop adjunct energies remnant inhabit alliances simulcast reactors
        mosques travellers outfielder plumage migratory benin experimented fibre projecting drafting laude evidenced
        northernmost indicted directional replication croydon comedies jailed organizes devotees reservoirs turrets
        originate economists songwriters junta trenches mounds proportions comedic apostle azerbaijani farmhouse
        resembled disrupted playback mixes diagonal relevance govern programmer gdansk maize soundtracks tendencies
        mastered impacted believers kilometre intervene chairperson aerodrome sails subsidies ensures aesthetics
        congresses ratios sardinia southernmost functioned controllers downward randomly distortion regents palatine
        disruption spirituality vidhan tracts compiler ventilation anchorage symposium assert pistols excelled avenues
        convoys moniker constructions proponent phased spines organising schleswig policing campeonato mined hourly
        croix lucrative authenticity haitian stimulation burkina espionage midfield manually staffed awakening metabolic
        biographies entrepreneurship conspicuous guangdong preface subgroup mythological adjutant feminism vilnius
        oversees honourable tripoli stylized kinase societe notoriety altitudes configurations outward transmissions
        announces auditor ethanol clube nanjing mecca haifa blogs postmaster paramilitary depart positioning potent
        recognizable spire brackets remembrance overlapping turkic articulated scientology operatic deploy readiness
        biotechnology restrict cinematographer inverted synonymous administratively westphalia commodities replaces
        downloads centralized munitions preached sichuan fashionable implementations matrices hiv/aids loyalist luzon
        celebrates hazards heiress mercenaries synonym creole ljubljana technician auditioned technicians viewpoint
        wetland mongols princely sharif coating dynasties southward doubling formula_8 mayoral harvesting conjecture
        goaltender oceania spokane welterweight bracket gatherings weighted newscasts mussolini affiliations
        disadvantage vibrant spheres sultanate distributors disliked establishes marches drastically yielding jewellery
        yokohama vascular airlift canons subcommittee repression strengths graded outspoken fused pembroke filmography
        redundant fatigue repeal threads reissue pennant edible vapor corrections stimuli commemoration dictator anand
        secession amassed orchards pontifical experimentation greeted bangor forwards decomposition quran trolley
        chesterfield traverse sermons burials skier climbs consultants petitioned reproduce parted illuminated kurdistan
        reigned occupants packaged geometridae woven regulating protagonists crafted affluent clergyman consoles migrant
        supremacy attackers caliph defect convection rallies huron resin segunda quota warship overseen criticizing
        shrines glamorgan lowering beaux hampered invasions conductors collects bluegrass surrounds substrates perpetual
        chronology pulmonary executions crimea compiling noctuidae battled tumors minsk novgorod serviced yeast
        computation swamps theodor baronetcy salford uruguayan shortages odisha siberian novelty cinematic invitational
        decks dowager oppression bandits appellate state-of-the-art clade palaces signalling galaxies industrialist
        tensor learnt incurred magistrates binds orbits ciudad willingness peninsular basins biomedical shafts
        marlborough bournemouth withstand fitzroy dunedin variance steamship integrating muscular fines akron
        bulbophyllum malmo disclosed cornerstone runways medicines twenty20 gettysburg progresses frigates bodied
        transformations transforms helens modelled versatile regulator pursuits legitimacy amplifier scriptures voyages
        examines presenters octagonal poultry formula_9 anatolia computed migrate directorial hybrids localized
        preferring guggenheim persisted grassroots inflammation fishery otago vigorous professions instructional
        inexpensive insurgency legislators sequels surnames agrarian stainless nairobi minas forerunner aristocracy
        transitions sicilian showcased doses hiroshima summarized gearbox emancipation limitation nuclei seismic
        abandonment dominating appropriations occupations electrification hilly contracting exaggerated entertainer
        kazan oricon cartridges characterization parcel maharaja exceeds aspiring obituary flattened contrasted
        narration replies oblique outpost fronts arranger talmud keynes doctrines endured confesses fortification
        supervisors kilometer academie jammu bathurst piracy prostitutes navarre cumulative cruises lifeboat twinned
        radicals interacting expenditures wexford libre futsal curated clockwise colloquially procurement immaculate
        lyricist enhancement porcelain alzheimer highlighting judah disagreements storytelling sheltered wroclaw
        vaudeville contrasts neoclassical compares contrasting deciduous francaise descriptive cyclic reactive
        antiquities meiji repeats creditors forcibly newmarket picturesque impending uneven bison raceway solvent
        ecumenical optic professorship harvested waterway banjo pharaoh geologist scanning dissent recycled unmanned
        retreating gospels aqueduct branched tallinn groundbreaking syllables hangar designations procedural craters
        cabins encryption anthropologist montevideo outgoing inverness chattanooga fascism calais chapels groundwater
        downfall misleading robotic tortricidae pixel handel prohibit crewe renaming reprised kickoff leftist spaced
        integers causeway pines authorship organise ptolemy accessibility virtues lesions iroquois qur'an atheist
        synthesized biennial confederates dietary skaters stresses tariff koreans intercity republics quintet baroness
        naive amplitude insistence tbilisi residues grammatical diversified egyptians accompaniment vibration repository
        mandal topological distinctions coherent invariant batters nuevo internationals implements follower bahia
        widened independents cantonese totaled guadalajara wolverines befriended muzzle surveying hungarians medici
        deportation rayon approx recounts attends clerical hellenic furnished alleging soluble systemic gallantry
        bolshevik intervened hostel gunpowder specialising stimulate leiden removes thematic floral bafta printers
        conglomerate eroded analytic successively lehigh thessaloniki kilda clauses ascended nehru scripted tokugawa
        competence diplomats exclude consecration freedoms assaults revisions blacksmith textual sparse concacaf slain
        uploaded enraged whaling guise stadiums debuting dormitory cardiovascular yunnan dioceses consultancy notions
        lordship archdeacon collided medial airfields garment wrestled adriatic reversal refueling verification jakob
        horseshoe intricate veracruz sarawak syndication synthesizer anthologies stature feasibility guillaume
        narratives publicized antrim intermittent constituents grimsby filmmaking doping unlawful nominally transmitting
        documenting seater internationale ejected steamboat alsace boise ineligible geared vassal mustered ville inline
        pairing eurasian kyrgyzstan barnsley reprise stereotypes rushes conform firefighters deportivo revolutionaries
        rabbis concurrency charters sustaining aspirations algiers chichester falkland morphological systematically
        volcanoes designate artworks reclaimed jurist anglia resurrected chaotic feasible circulating simulated
        environmentally confinement adventist harrisburg laborers ostensibly universiade pensions influenza bratislava
        octave refurbishment gothenburg putin barangay annapolis breaststroke illustrates distorted choreographed promo
        emphasizing stakeholders descends exhibiting intrinsic invertebrates evenly roundabout salts formula_10 strata
        inhibition branching stylistic rumored realises mitochondrial commuted adherents logos bloomberg telenovela
        guineas charcoal engages winery reflective siena cambridgeshire ventral flashback installing engraving grasses
        traveller rotated proprietor nationalities precedence sourced trainers cambodian reductions depleted saharan
        classifications biochemistry plaintiffs arboretum humanist fictitious aleppo climates bazaar his/her homogeneous
        multiplication moines indexed linguist skeletal foliage societal differentiated informing mammal infancy
        archival cafes malls graeme musee schizophrenia fargo pronouns derivation descend ascending terminating
        deviation recaptured confessions weakening tajikistan bahadur pasture b/hip donegal supervising sikhs thinkers
        euclidean reinforcement friars portage fuscous lucknow synchronized assertion choirs privatization corrosion
        multitude skyscraper royalties ligament usable spores directs clashed stockport fronted dependency contiguous
        biologist backstroke powerhouse frescoes phylogenetic welding kildare gabon conveyed augsburg severn continuum
        sahib lille injuring passeriformesfamily succeeds translating unitarian startup turbulent outlying philanthropic
        stanislaw idols claremont conical haryana armagh blended implicit conditioned modulation rochdale labourers
        coinage shortstop potsdam gears obesity bestseller advisers bouts comedians jozef lausanne taxonomic correlated
        columbian marne indications psychologists libel edict beaufort disadvantages renal finalized racehorse
        unconventional disturbances falsely zoology adorned redesign executing narrower commended appliances stalls
        resurgence saskatoon miscellaneous permitting epoch formula_11 cumbria forefront vedic eastenders disposed
        supermarkets rower inhibitor magnesium colourful yusuf harrow formulas centrally balancing ionic nocturnal
        consolidate ornate raiding charismatic accelerate nominate residual dhabi commemorates attribution uninhabited
        mindanao atrocities genealogical romani applicant enactment abstraction trough pulpit minuscule misconduct
        grenades timely supplements messaging curvature ceasefire telangana susquehanna braking redistribution
        shreveport neighbourhoods gregorian widowed khuzestan empowerment scholastic evangelist peptide topical theorist
        historia thence sudanese museo jurisprudence masurian frankish headlined recounted netball petitions tolerant
        hectare truncated southend methane captives reigns massif subunit acidic weightlifting footballers sabah
        britannia tunisian segregated sawmill withdrawing unpaid weaponry somme perceptions unicode alcoholism durban
        wrought waterfalls jihad auschwitz upland eastbound adjective anhalt evaluating regimes guildford reproduced
        pamphlets hierarchical maneuvers hanoi fabricated repetition enriched arterial replacements tides globalization
        adequately westbound satisfactory fleets phosphorus lastly neuroscience anchors xinjiang membranes improvisation
        shipments orthodoxy submissions bolivian mahmud ramps leyte pastures outlines flees transmitters fares
        sequential stimulated novice alternately symmetrical breakaway layered baronets lizards blackish edouard
        horsepower penang principals mercantile maldives overwhelmingly hawke rallied prostate conscription juveniles
        maccabi carvings strikers sudbury spurred improves lombardy macquarie parisian elastic distillery shetland
        humane brentford wrexham warehouses routines encompassed introductory isfahan instituto palais revolutions
        sporadic impoverished portico fellowships speculative enroll dormant adhere fundamentally sculpted meritorious
        template upgrading reformer rectory uncredited indicative creeks galveston radically hezbollah firearm educating
        prohibits trondheim locus refit headwaters screenings lowlands wasps coarse attaining sedimentary perished
        pitchfork interned cerro stagecoach aeronautical liter transitioned haydn inaccurate legislatures bromwich
        knesset spectroscopy butte asiatic degraded concordia catastrophic lobes wellness pensacola periphery hapoel
        theta horizontally freiburg liberalism pleas durable warmian offenses mesopotamia shandong unsuitable
        hospitalized appropriately phonetic encompass conversions observes illnesses breakout assigns crowns inhibitors
        nightly manifestation fountains maximize alphabetical sloop expands newtown widening gaddafi commencing
        camouflage footprint tyrol barangays universite highlanders budgets query lobbied westchester equator stipulated
        pointe distinguishes allotted embankment advises storing loyalists fourier rehearsals starvation gland rihanna
        tubular expressive baccalaureate intersections revered carbonate eritrea craftsmen cosmopolitan sequencing
        corridors shortlisted bangladeshi persians mimic parades repetitive recommends flanks promoters incompatible
        teaming ammonia greyhound solos improper legislator newsweek recurrent vitro cavendish eireann crises prophets
        mandir strategically guerrillas formula_12 ghent contenders equivalence drone sociological hamid castes
        statehood aland clinched relaunched tariffs simulations williamsburg rotate mediation smallpox harmonica lodges
        lavish restrictive o'sullivan detainees polynomials echoes intersecting learners elects charlemagne defiance
        epsom liszt facilitating absorbing revelations padua pieter pious penultimate mammalian montenegrin
        supplementary widows aromatic croats roanoke trieste legions subdistrict babylonian grasslands volga violently
        sparsely oldies telecommunication respondents quarries downloadable commandos taxpayer catalytic malabar
        afforded copying declines nawab junctions assessing filtering classed disused compliant christoph gottingen
        civilizations hermitage caledonian whereupon ethnically springsteen mobilization terraces indus excel zoological
        enrichment simulate guitarists registrar cappella invoked reused manchu configured uppsala genealogy mergers
        casts curricular rebelled subcontinent horticultural parramatta orchestrated dockyard claudius decca prohibiting
        turkmenistan brahmin clandestine obligatory elaborated parasitic helix constraint spearheaded rotherham eviction
        adapting albans rescues sociologist guiana convicts occurrences kamen antennas asturias wheeled sanitary
        deterioration trier theorists baseline announcements valea planners factual serialized serials bilbao demoted
        fission jamestown cholera alleviate alteration indefinite sulfate paced climatic valuation artisans proficiency
        aegean regulators fledgling sealing influencing servicemen frequented cancers tambon narayan bankers clarified
        embodied engraver reorganisation dissatisfied dictated supplemental temperance ratification puget nutrient
        pretoria papyrus uniting ascribed cores coptic schoolhouse barrio 1910s armory defected transatlantic regulates
        ported artefacts specifies boasted scorers mollusks emitted navigable quakers projective dialogues reunification
        exponential vastly banners unsigned dissipated halves coincidentally leasing purported escorting estimation
        foxes lifespan inflorescence assimilation showdown staunch prologue ligand superliga telescopes northwards
        keynote heaviest taunton redeveloped vocalists podlaskie soyuz rodents azores moravian outset parentheses
        apparel domestically authoritative polymers monterrey inhibit launcher jordanian folds taxis mandates singled
        liechtenstein subsistence marxism ousted governorship servicing offseason modernism prism devout translators
        islamist chromosomes pitted bedfordshire fabrication authoritarian javanese leaflets transient substantive
        predatory sigismund assassinate diagrams arrays rediscovered reclamation spawning fjord peacekeeping strands
        fabrics highs regulars tirana ultraviolet athenian filly barnet naacp nueva favourites terminates showcases
        clones inherently interpreting bjorn finely lauded unspecified chola pleistocene insulation antilles donetsk
        funnel nutritional biennale reactivated southport primate cavaliers austrians interspersed restarted suriname
        amplifiers wladyslaw blockbuster sportsman minogue brightness benches bridgeport initiating israelis orbiting
        newcomers externally scaling transcribed impairment luxurious longevity impetus temperament ceilings tchaikovsky
        spreads pantheon bureaucracy 1820s heraldic villas formula_13 galician meath avoidance corresponded headlining
        connacht seekers rappers solids monograph scoreless opole isotopes himalayas parodies garments microscopic
        republished havilland orkney demonstrators pathogen saturated hellenistic facilitates aerodynamic relocating
        indochina laval astronomers bequeathed administrations extracts nagoya torquay demography medicare ambiguity
        renumbered pursuant concave syriac electrode dispersal henan bialystok walsall crystalline puebla janata
        illumination tianjin enslaved coloration championed defamation grille johor rejoin caspian fatally planck
        workings appointing institutionalized wessex modernized exemplified regatta jacobite parochial programmers
        blending eruptions insurrection regression indices sited dentistry mobilized furnishings levant primaries ardent
        nagasaki conqueror dorchester opined heartland amman mortally wellesley bowlers outputs coveted orthography
        immersion disrepair disadvantaged curate childless condensed codice_1 remodeled resultant bolsheviks superfamily
        saxons 2010s contractual rivalries malacca oaxaca magnate vertebrae quezon olympiad yucatan tyres macro
        specialization commendation caliphate gunnery exiles excerpts fraudulent adjustable aramaic interceptor drumming
        standardization reciprocal adolescents federalist aeronautics favorably enforcing reintroduced zhejiang refining
        biplane banknotes accordion intersect illustrating summits classmate militias biomass massacres epidemiology
        reworked wrestlemania nantes auditory taxon elliptical chemotherapy asserting avoids proficient airmen
        yellowstone multicultural alloys utilization seniority kuyavian huntsville orthogonal bloomington cultivars
        casimir internment repulsed impedance revolving fermentation parana shutout partnering empowered islamabad
        polled classify amphibians greyish obedience 4x100 projectile khyber halfback relational d'ivoire synonyms
        endeavour padma customized mastery defenceman berber purge interestingly covent promulgated restricting
        condemnation hillsborough walkers privateer intra captaincy naturalized huffington detecting hinted migrating
        bayou counterattack anatomical foraging unsafe swiftly outdated paraguayan attire masjid endeavors jerseys
        triassic quechua growers axial accumulate wastewater cognition fungal animator pagoda kochi uniformly antibody
        yerevan hypotheses combatants italianate draining fragmentation snowfall formative inversion kitchener
        identifier additive lucha selects ashland cambrian racetrack trapping congenital primates wavelengths expansions
        yeomanry harcourt wealthiest awaited punta intervening aggressively vichy piloted midtown tailored heyday
        metadata guadalcanal inorganic hadith pulses francais tangent scandals erroneously tractors pigment constabulary
        jiangsu landfill merton basalt astor forbade debuts collisions exchequer stadion roofed flavour sculptors
        conservancy dissemination electrically undeveloped existent surpassing pentecostal manifested amend formula_14
        superhuman barges tunis analytics argyll liquids mechanized domes mansions himalayan indexing reuters nonlinear
        purification exiting timbers triangles decommissioning departmental causal fonts americana sept. seasonally
        incomes razavi sheds memorabilia rotational terre sutra protege yarmouth grandmaster annum looted imperialism
        variability liquidation baptised isotope showcasing milling rationale hammersmith austen streamlined
        acknowledging contentious qaleh breadth turing referees feral toulon unofficially identifiable standout labeling
        dissatisfaction jurgen angrily featherweight cantons constrained dominates standalone relinquished theologians
        markedly italics downed nitrate likened gules craftsman singaporean pixels mandela moray parity departement
        antigen academically burgh brahma arranges wounding triathlon nouveau vanuatu banded acknowledges unearthed
        stemming authentication byzantines converge nepali commonplace deteriorating recalling palette mathematicians
        greenish pictorial ahmedabad rouen validation u.s.a. 'best malvern archers converter undergoes fluorescent
        logistical notification transvaal illicit symphonies stabilization worsened fukuoka decrees enthusiast
        seychelles blogger louvre dignitaries burundi wreckage signage pinyin bursts federer polarization urbana lazio
        schism nietzsche venerable administers seton kilograms invariably kathmandu farmed disqualification earldom
        appropriated fluctuations kermanshah deployments deformation wheelbase maratha psalm bytes methyl engravings
        skirmish fayette vaccines ideally astrology breweries botanic opposes harmonies irregularities contended gaulle
        prowess constants aground filipinos fresco ochreous jaipur willamette quercus eastwards mortars champaign
        braille reforming horned hunan spacious agitation draught specialties flourishing greensboro necessitated swedes
        elemental whorls hugely structurally plurality synthesizers embassies assad contradictory inference discontent
        recreated inspectors unicef commuters embryo modifying stints numerals communicated boosted trumpeter brightly
        adherence remade leases restrained eucalyptus dwellers planar grooves gainesville daimler anzac szczecin
        cornerback prized peking mauritania khalifa motorized lodging instrumentalist fortresses cervical formula_15
        passerine sectarian researches apprenticed reliefs disclose gliding repairing queue kyushu literate canoeing
        sacrament separatist calabria parkland flowed investigates statistically visionary commits dragoons scrolls
        premieres revisited subdued censored patterned elective outlawed orphaned leyland richly fujian miniatures
        heresy plaques countered nonfiction exponent moravia dispersion marylebone midwestern enclave ithaca federated
        electronically handheld microscopy tolls arrivals climbers continual cossacks moselle deserts ubiquitous gables
        forecasts deforestation vertebrates flanking drilled superstructure inspected consultative bypassed ballast
        subsidy socioeconomic relic grenada journalistic administering accommodated collapses appropriation reclassified
        foreword porte assimilated observance fragmented arundel thuringia gonzaga shenzhen shipyards sectional ayrshire
        sloping dependencies promenade ecuadorian mangrove constructs goalscorer heroism iteration transistor omnibus
        hampstead cochin overshadowed chieftain scalar finishers ghanaian abnormalities monoplane encyclopaedia
        characterize travancore baronetage bearers biking distributes paving christened inspections banco humber corinth
        quadratic albanians lineages majored roadside inaccessible inclination darmstadt fianna epilepsy propellers
        papacy montagu bhutto sugarcane optimized pilasters contend batsmen brabant housemates sligo ascot aquinas
        supervisory accorded gerais echoed nunavut conservatoire carniola quartermaster gminas impeachment aquitaine
        reformers quarterfinal karlsruhe accelerator coeducational archduke gelechiidae seaplane dissident frenchman
        palau depots hardcover aachen darreh denominational groningen parcels reluctance drafts elliptic counters
        decreed airship devotional contradiction formula_16 undergraduates qualitative guatemalan slavs southland
        blackhawks detrimental abolish chechen manifestations arthritis perch fated hebei peshawar palin immensely havre
        totalling rampant ferns concourse triples elites olympian larva herds lipid karabakh distal monotypic vojvodina
        batavia multiplied spacing spellings pedestrians parchment glossy industrialization dehydrogenase patriotism
        abolitionist mentoring elizabethan figurative dysfunction abyss constantin middletown stigma mondays gambia
        gaius israelites renounced nepalese overcoming buren sulphur divergence predation looting iberia futuristic
        shelved anthropological innsbruck escalated clermont entrepreneurial benchmark mechanically detachments populist
        apocalyptic exited embryonic stanza readership chiba landlords expansive boniface therapies perpetrators
        whitehall kassel masts carriageway clinch pathogens mazandaran undesirable teutonic miocene nagpur juris cantata
        compile diffuse dynastic reopening comptroller o'neal flourish electing scientifically departs welded modal
        cosmology fukushima libertadores chang'an asean generalization localization afrikaans cricketers accompanies
        emigrants esoteric southwards shutdown prequel fittings innate wrongly equitable dictionaries senatorial bipolar
        flashbacks semitism walkway lyrically legality sorbonne vigorously durga samoan karel interchanges patna decider
        registering electrodes anarchists excursion overthrown gilan recited michelangelo advertiser kinship taboo
        cessation formula_17 premiers traversed madurai poorest torneo exerted replicate spelt sporadically horde
        landscaping razed hindered esperanto manchuria propellant jalan baha'is sikkim linguists pandit racially ligands
        dowry francophone escarpment behest magdeburg mainstay villiers yangtze grupo conspirators martyrdom noticeably
        lexical kazakh unrestricted utilised sired inhabits proofs joseon pliny minted buddhists cultivate
        interconnected reuse viability australasian derelict resolving overlooks menon stewardship playwrights thwarted
        filmfare disarmament protections bundles sidelined hypothesized singer/songwriter forage netted chancery
        townshend restructured quotation hyperbolic succumbed parliaments shenandoah apical kibbutz storeys pastors
        lettering ukrainians hardships chihuahua avail aisles taluka antisemitism assent ventured banksia seamen hospice
        faroe fearful woreda outfield chlorine transformer tatar panoramic pendulum haarlem styria cornice importing
        catalyzes subunits enamel bakersfield realignment sorties subordinates deanery townland gunmen tutelage
        evaluations allahabad thrace veneto mennonite sharia subgenus satisfies puritan unequal gastrointestinal
        ordinances bacterium horticulture argonauts adjectives arable duets visualization woolwich revamped euroleague
        thorax completes originality vasco freighter sardar oratory sects extremes signatories exporting arisen
        exacerbated departures saipan furlongs d'italia goring dakar conquests docked offshoot okrug referencing
        disperse netting summed rewritten articulation humanoid spindle competitiveness preventive facades westinghouse
        wycombe synthase emulate fostering abdel hexagonal myriad caters arjun dismay axiom psychotherapy colloquial
        complemented martinique fractures culmination erstwhile atrium electronica anarchism nadal montpellier algebras
        submitting adopts stemmed overcame internacional asymmetric gallipoli gliders flushing extermination hartlepool
        tesla interwar patriarchal hitherto ganges combatant marred philology glastonbury reversible isthmus undermined
        southwark gateshead andalusia remedies hastily optimum smartphone evade patrolled beheaded dopamine waivers
        ugandan gujarati densities predicting intestinal tentative interstellar kolonia soloists penetrated rebellions
        qeshlaq prospered colegio deficits konigsberg deficient accessing relays kurds politburo codified incarnations
        occupancy cossack metaphysical deprivation chopra piccadilly formula_18 makeshift protestantism alaskan
        frontiers faiths tendon dunkirk durability autobots bonuses coinciding emails gunboat stucco magma neutrons
        vizier subscriptions visuals envisaged carpets smoky schema parliamentarian immersed domesticated parishioners
        flinders diminutive mahabharata ballarat falmouth vacancies gilded twigs mastering clerics dalmatia islington
        slogans compressor iconography congolese sanction blends bulgarians moderator outflow textures safeguard
        trafalgar tramways skopje colonialism chimneys jazeera organisers denoting motivations ganga longstanding
        deficiencies gwynedd palladium holistic fascia preachers embargo sidings busan ignited artificially clearwater
        cemented northerly salim equivalents crustaceans oberliga quadrangle historiography romanians vaults fiercely
        incidental peacetime tonal bhopal oskar radha pesticides timeslot westerly cathedrals roadways aldershot
        connectors brahmins paler aqueous gustave chromatic linkage lothian specialises aggregation tributes insurgent
        enact hampden ghulam federations instigated lyceum fredrik chairmanship floated consequent antagonists
        intimidation patriarchate warbler heraldry entrenched expectancy habitation partitions widest launchers nascent
        ethos wurzburg lycee chittagong mahatma merseyside asteroids yokosuka cooperatives quorum redistricting
        bureaucratic yachts deploying rustic phonology chorale cellist stochastic crucifixion surmounted confucian
        portfolios geothermal crested calibre tropics deferred nasir iqbal persistence essayist chengdu aborigines
        fayetteville bastion interchangeable burlesque kilmarnock specificity tankers colonels fijian quotations enquiry
        quito palmerston delle multidisciplinary polynesian iodine antennae emphasised manganese baptists galilee
        jutland latent excursions skepticism tectonic precursors negligible musique misuse vitoria expressly veneration
        sulawesi footed mubarak chongqing chemically midday ravaged facets varma yeovil ethnographic discounted
        physicists attache disbanding essen shogunate cooperated waikato realising motherwell pharmacology sulfide
        inward expatriate devoid cultivar monde andean groupings goran unaffected moldovan postdoctoral coleophora
        delegated pronoun conductivity coleridge disapproval reappeared microbial campground olsztyn fostered
        vaccination rabbinical champlain milestones viewership caterpillar effected eupithecia financier inferred uzbek
        bundled bandar balochistan mysticism biosphere holotype symbolizes lovecraft photons abkhazia swaziland
        subgroups measurable falkirk valparaiso ashok discriminatory rarity tabernacle flyweight jalisco westernmost
        antiquarian extracellular margrave colspan=9 midsummer digestive reversing burgeoning substitutes medallist
        khrushchev guerre folio detonated partido plentiful aggregator medallion infiltration shaded santander fared
        auctioned permian ramakrishna andorra mentors diffraction bukit potentials translucent feminists tiers
        protracted coburg wreath guelph adventurer he/she vertebrate pipelines celsius outbreaks australasia deccan
        garibaldi unionists buildup biochemical reconstruct boulders stringent barbed wording furnaces pests befriends
        organises popes rizal tentacles cadre tallahassee punishments occidental formatted mitigation rulings rubens
        cascades inducing choctaw volta synagogues movable altarpiece mitigate practise intermittently encountering
        memberships earns signify retractable amounting pragmatic wilfrid dissenting divergent kanji reconstituted
        devonian constitutions levied hendrik starch costal honduran ditches polygon eindhoven superstars salient argus
        punitive purana alluvial flaps inefficient retracted advantageous quang andersson danville binghamton symbolize
        conclave shaanxi silica interpersonal adept frans pavilions lubbock equip sunken limburg activates prosecutions
        corinthian venerated shootings retreats parapet orissa riviere animations parodied offline metaphysics bluffs
        plume piety fruition subsidized steeplechase shanxi eurasia angled forecasting suffragan ashram larval labyrinth
        chronicler summaries trailed merges thunderstorms filtered formula_19 advertisers alpes informatics parti
        constituting undisputed certifications javascript molten sclerosis rumoured boulogne hmong lewes breslau notts
        bantu ducal messengers radars nightclubs bantamweight carnatic kaunas fraternal triggering controversially
        londonderry visas scarcity offaly uprisings repelled corinthians pretext kuomintang kielce empties matriculated
        pneumatic expos agile treatises midpoint prehistory oncology subsets hydra hypertension axioms wabash reiterated
        swapped achieves premio ageing overture curricula challengers subic selangor liners frontline shutter validated
        normalized entertainers molluscs maharaj allegation youngstown synth thoroughfare regionally pillai
        transcontinental pedagogical riemann colonia easternmost tentatively profiled herefordshire nativity meuse
        nucleotide inhibits huntingdon throughput recorders conceding domed homeowners centric gabled canoes fringes
        breeder subtitled fluoride haplogroup zionism izmir phylogeny kharkiv romanticism adhesion usaaf delegations
        lorestan whalers biathlon vaulted mathematically pesos skirmishes heisman kalamazoo gesellschaft launceston
        interacts quadruple kowloon psychoanalysis toothed ideologies navigational valence induces lesotho frieze
        rigging undercarriage explorations spoof eucharist profitability virtuoso recitals subterranean sizeable
        herodotus subscriber huxley pivot forewing warring boleslaw bharatiya suffixes trois percussionist downturn
        garrisons philosophies chants mersin mentored dramatist guilds frameworks thermodynamic venomous mehmed
        assembling rabbinic hegemony replicas enlargement claimant retitled utica dumfries metis deter assortment tubing
        afflicted weavers rupture ornamentation transept salvaged upkeep callsign rajput stevenage trimmed intracellular
        synchronization consular unfavorable royalists goldwyn fasting hussars doppler obscurity currencies amiens acorn
        tagore townsville gaussian migrations porta anjou graphite seaport monographs gladiators metrics calligraphy
        sculptural swietokrzyskie tolombeh eredivisie shoals queries carts exempted fiberglass mirrored bazar progeny
        formalized mukherjee professed amazon.com cathode moreton removable mountaineers nagano transplantation
        augustinian steeply epilogue adapter decisively accelerating mediaeval substituting tasman devonshire litres
        enhancements himmler nephews bypassing imperfect argentinian reims integrates sochi ascii licences niches
        surgeries fables versatility indra footpath afonso crore evaporation encodes shelling conformity simplify
        updating quotient overt firmware umpires architectures eocene conservatism secretion embroidery f.c.. tuvalu
        mosaics shipwreck prefectural cohort grievances garnering centerpiece apoptosis djibouti bethesda formula_20
        shonen richland justinian dormitories meteorite reliably obtains pedagogy hardness cupola manifolds
        amplification steamers familial dumbarton jerzy genital maidstone salinity grumman signifies presbytery
        meteorology procured aegis streamed deletion nuestra mountaineering accords neuronal khanate grenoble axles
        dispatches tokens turku auctions propositions planters proclaiming recommissioned stravinsky obverse bombarded
        waged saviour massacred reformist purportedly resettlement ravenna embroiled minden revitalization hikers
        bridging torpedoed depletion nizam affectionately latitudes lubeck spore polymerase aarhus nazism 101st buyout
        galerie diets overflow motivational renown brevet deriving melee goddesses demolish amplified tamworth retake
        brokerage beneficiaries henceforth reorganised silhouette browsers pollutants peron lichfield encircled defends
        bulge dubbing flamenco coimbatore refinement enshrined grizzlies capacitor usefulness evansville interscholastic
        rhodesian bulletins diamondbacks rockers platted medalists formosa transporter slabs guadeloupe disparate
        concertos violins regaining mandible untitled agnostic issuance hamiltonian brampton srpska homology downgraded
        florentine epitaph kanye rallying analysed grandstand infinitely antitrust plundered modernity colspan=3|total
        amphitheatre doric motorists yemeni carnivorous probabilities prelate struts scrapping bydgoszcz pancreatic
        signings predicts compendium ombudsman apertura appoints rebbe stereotypical valladolid clustered touted plywood
        inertial kettering curving d'honneur housewives grenadier vandals barbarossa necked waltham reputedly jharkhand
        cistercian pursues viscosity organiser cloister islet stardom moorish himachal strives scripps staggered blasts
        westwards millimeters angolan hubei agility admirals mordellistena coincides platte vehicular cordillera riffs
        schoolteacher canaan acoustics tinged reinforcing concentrates daleks monza selectively musik polynesia exporter
        reviving macclesfield bunkers ballets manors caudal microbiology primes unbroken outcry flocks pakhtunkhwa
        abelian toowoomba luminous mould appraisal leuven experimentally interoperability hideout perak specifying
        knighthood vasily excerpt computerized niels networked byzantium reaffirmed geographer obscured fraternities
        mixtures allusion accra lengthened inquest panhandle pigments revolts bluetooth conjugate overtaken foray coils
        breech streaks impressionist mendelssohn intermediary panned suggestive nevis upazila rotunda mersey linnaeus
        anecdotes gorbachev viennese exhaustive moldavia arcades irrespective orator diminishing predictive cohesion
        polarized montage avian alienation conus jaffna urbanization seawater extremity editorials scrolling dreyfus
        traverses topographic gunboats extratropical normans correspondents recognises millennia filtration ammonium
        voicing complied prefixes diplomas figurines weakly gated oscillator lucerne embroidered outpatient airframe
        fractional disobedience quarterbacks formula_21 shinto chiapas epistle leakage pacifist avignon penrith renders
        mantua screenplays gustaf tesco alphabetically rations discharges headland tapestry manipur boolean mediator
        ebenezer subchannel fable bestselling ateneo trademarks recurrence dwarfs britannica signifying vikram mediate
        condensation censuses verbandsgemeinde cartesian sprang surat britons chelmsford courtenay statistic retina
        abortions liabilities closures mississauga skyscrapers saginaw compounded aristocrat msnbc stavanger septa
        interpretive hinder visibly seeding shutouts irregularly quebecois footbridge hydroxide implicitly lieutenants
        simplex persuades midshipman heterogeneous officiated crackdown lends tartu altars fractions dissidents tapered
        modernisation scripting blazon aquaculture thermodynamics sistan hasidic bellator pavia propagated theorized
        bedouin transnational mekong chronicled declarations kickstarter quotas runtime duquesne broadened clarendon
        brownsville saturation tatars electorates malayan replicated observable amphitheater endorsements referral
        allentown mormons pantomime eliminates typeface allegorical varna conduction evoke interviewer subordinated
        uyghur landscaped conventionally ascend edifice postulated hanja whitewater embarking musicologist tagalog
        frontage paratroopers hydrocarbons transliterated nicolae viewpoints surrealist asheville falklands hacienda
        glide opting zimbabwean discal mortgages nicaraguan yadav ghosh abstracted castilian compositional cartilage
        intergovernmental forfeited importation rapping artes republika narayana condominium frisian bradman duality
        marche extremist phosphorylation genomes allusions valencian habeas ironworks multiplex harpsichord emigrate
        alternated breda waffen smartphones familiarity regionalliga herbaceous piping dilapidated carboniferous xviii
        critiques carcinoma sagar chippewa postmodern neapolitan excludes notoriously distillation tungsten richness
        installments monoxide chand privatisation molded maths projectiles luoyang epirus lemma concentric incline
        erroneous sideline gazetted leopards fibres renovate corrugated unilateral repatriation orchestration saeed
        rockingham loughborough formula_22 bandleader appellation openness nanotechnology massively tonnage dunfermline
        exposes moored ridership motte eurobasket majoring feats silla laterally playlist downwards methodologies
        eastbourne daimyo cellulose leyton norwalk oblong hibernian opaque insular allegory camogie inactivation
        favoring masterpieces rinpoche serotonin portrayals waverley airliner longford minimalist outsourcing excise
        meyrick qasim organisational synaptic farmington gorges scunthorpe zoned tohoku librarians davao decor
        theatrically brentwood pomona acquires planter capacitors synchronous skateboarding coatings turbocharged
        ephraim capitulation scoreboard hebrides ensues cereals ailing counterpoint duplication antisemitic clique aichi
        oppressive transcendental incursions rename renumbering powys vestry bitterly neurology supplanted affine
        susceptibility orbiter activating overlaps ecoregion raman canoer darfur microorganisms precipitated protruding
        torun anthropologists rennes kangaroos parliamentarians edits littoral archived begum rensselaer microphones
        ypres empower etruscan wisden montfort calibration isomorphic rioting kingship verbally smyrna cohesive canyons
        fredericksburg rahul relativistic micropolitan maroons industrialized henchmen uplift earthworks mahdi disparity
        cultured transliteration spiny fragmentary extinguished atypical inventors biosynthesis heralded curacao
        anomalies aeroplane surya mangalore maastricht ashkenazi fusiliers hangzhou emitting monmouthshire
        schwarzenegger ramayana peptides thiruvananthapuram alkali coimbra budding reasoned epithelial harbors
        rudimentary classically parque ealing crusades rotations riparian pygmy inertia revolted microprocessor
        calendars solvents kriegsmarine accademia cheshmeh yoruba ardabil mitra genomic notables propagate narrates
        univision outposts polio birkenhead urinary crocodiles pectoral barrymore deadliest rupees chaim protons comical
        astrophysics unifying formula_23 vassals cortical audubon pedals tenders resorted geophysical lenders
        recognising tackling lanarkshire doctrinal annan combating guangxi estimating selectors tribunals chambered
        inhabiting exemptions curtailed abbasid kandahar boron bissau 150th codenamed wearer whorl adhered subversive
        famer smelting inserting mogadishu zoologist mosul stumps almanac olympiacos stamens participatory cults
        honeycomb geologists dividend recursive skiers reprint pandemic liber percentages adversely stoppage chieftains
        tubingen southerly overcrowding unorganized hangars fulfil hails cantilever woodbridge pinus wiesbaden
        fertilization fluorescence enhances plenary troublesome episodic thrissur kickboxing allele staffing garda
        televisions philatelic spacetime bullpen oxides leninist enrolling inventive truro compatriot ruskin normative
        assay gotha murad illawarra gendarmerie strasse mazraeh rebounded fanfare liaoning rembrandt iranians emirate
        governs latency waterfowl chairmen katowice aristocrats eclipsed sentient sonatas interplay sacking decepticons
        dynamical arbitrarily resonant petar velocities alludes wastes prefectures belleville sensibility salvadoran
        consolidating medicaid trainees vivekananda molar porous upload youngster infused doctorates wuhan annihilation
        enthusiastically gamespot kanpur accumulating monorail operetta tiling sapporo finns calvinist hydrocarbon
        sparrows orienteering cornelis minster vuelta plebiscite embraces panchayats focussed remediation brahman
        olfactory reestablished uniqueness northumbria rwandan predominately abode ghats balances californian uptake
        bruges inert westerns reprints cairn yarra resurfaced audible rossini regensburg italiana fleshy irrigated
        alerts yahya varanasi marginalized expatriates cantonment normandie sahitya directives rounder hulls
        fictionalized constables inserts hipped potosi navies biologists canteen husbandry augment fortnight assamese
        kampala o'keefe paleolithic bluish promontory consecutively striving niall reuniting dipole friendlies
        disapproved thrived netflix liberian dielectric medway strategist sankt pickups hitters encode rerouted
        claimants anglesey partitioned cavan flutes reared repainted armaments bowed thoracic balliol piero chaplains
        dehestan sender junkers sindhi sickle dividends metallurgy honorific berths namco springboard resettled gansu
        copyrighted criticizes utopian bendigo ovarian binomial spaceflight oratorio proprietors supergroup duplicated
        foreground strongholds revolved optimize layouts westland hurler anthropomorphic excelsior merchandising reeds
        vetoed cryptography hollyoaks monash flooring ionian resilience johnstown resolves lawmakers alegre wildcards
        intolerance subculture selector slums formulate bayonet istvan restitution interchangeably awakens rostock
        serpentine oscillation reichstag phenotype recessed piotr annotated preparedness consultations clausura
        preferential euthanasia genoese outcrops freemasonry geometrical genesee islets prometheus panamanian
        thunderbolt terraced stara shipwrecks futebol faroese sharqi aldermen zeitung unify formula_24 humanism
        syntactic earthen blyth taxed rescinded suleiman cymru dwindled vitality superieure resupply adolphe ardennes
        rajiv profiling olympique gestation interfaith milosevic tagline funerary druze silvery plough shrubland
        relaunch disband nunatak minimizing excessively waned attaching luminosity bugle encampment electrostatic
        minesweeper dubrovnik rufous greenock hochschule assyrians extracting malnutrition priya attainment anhui
        connotations predicate seabirds deduced pseudonyms gopal plovdiv refineries imitated kwazulu terracotta tenets
        discourses brandeis whigs dominions pulmonate landslides tutors determinant richelieu farmstead tubercles
        technicolor hegel
        """
}
